#!/bin/sh
# run.sh [-v] - see opcodes.py.
exec python3 "$(dirname "$0")/opcodes.py" "$@"
