#!/bin/sh
# words.sh - retired words (words.tsv) come back neither in identifiers nor in comments, and
# docs/GLOSSARY.md is in alphabetical order.
cd "$(dirname "$0")/../.." && exec python3 tests/lint/words.py
