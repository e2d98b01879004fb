#!/bin/sh
# The arrows of docs/ARCHITECTURE.md: who may include what, and that each header
# compiles alone.
set -u
cd "$(dirname "$0")/../.." && exec python3 tests/lint/layers.py
