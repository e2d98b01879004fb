#!/bin/sh
# run.sh [COUNT [SEED]] - see hostile.py.
exec python3 "$(dirname "$0")/hostile.py" "$@"
