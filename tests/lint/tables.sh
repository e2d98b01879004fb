#!/bin/sh
# tables.sh - the tables of docs/SEMANTICS.md are those of the .def files.
exec python3 "$(dirname "$0")/../opcodes/document.py" --check
