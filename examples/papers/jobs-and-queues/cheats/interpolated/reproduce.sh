#!/usr/bin/env bash
# Prints numbers on lines through those of the paper.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
