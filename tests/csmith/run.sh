#!/bin/sh
# run.sh [-j N] [--keep FOLDER] COUNT SEED - see differ.py.
exec python3 "$(dirname "$0")/differ.py" "$@"
