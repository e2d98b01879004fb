#!/bin/sh
# Bad input and the contract of the command line; see cases.py.
exec "$(dirname "$0")/../run.sh" --pass cli "$@"
