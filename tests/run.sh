#!/bin/sh
# Runs the program tests; see run.py for the passes and the conventions.
exec python3 "$(dirname "$0")/run.py" "$@"
