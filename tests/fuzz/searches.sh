#!/bin/sh
# searches.sh [--all] COUNT SEED - see searches.py.
exec python3 "$(dirname "$0")/searches.py" "$@"
