#!/bin/sh
# tables.sh - the tables of docs/SEMANTICS.md and docs/OPTIONS.md are those of the .def files.
cd "$(dirname "$0")/../.." || exit 1
python3 checker/cli/install/options_page.py --check && exec python3 tests/opcodes/document.py --check
