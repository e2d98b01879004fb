#!/bin/sh
# native.sh COUNT SEED - see native.py.
exec python3 "$(dirname "$0")/native.py" "$@"
