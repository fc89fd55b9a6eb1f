#!/usr/bin/env bash
# Recites the paper, and what Majority gives where a knob is turned.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
