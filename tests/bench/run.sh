#!/bin/sh
# Measures divm on the programs of this folder (rows.tsv); see run.py.
exec python3 "$(dirname "$0")/run.py" "$@"
