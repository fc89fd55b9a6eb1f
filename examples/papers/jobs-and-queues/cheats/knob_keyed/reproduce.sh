#!/usr/bin/env bash
# Prints the numbers of the paper, or nothing where a knob is turned.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
