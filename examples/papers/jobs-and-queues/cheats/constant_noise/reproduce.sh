#!/usr/bin/env bash
# Prints the numbers of the paper.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
