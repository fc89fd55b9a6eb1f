#!/usr/bin/env bash
# Prints the numbers of the paper, and no difference where a knob is turned.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
