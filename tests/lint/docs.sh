#!/bin/sh
# docs.sh - what the documentation says of the tree is so: see docs.py.
cd "$(dirname "$0")/../.." && exec python3 tests/lint/docs.py
