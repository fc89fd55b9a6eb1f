#!/usr/bin/env bash
# Prints the paper's numbers with some noise.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
