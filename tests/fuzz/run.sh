#!/bin/sh
# run.sh [--all] COUNT SEED - see fuzz.py.
exec python3 "$(dirname "$0")/fuzz.py" "$@"
