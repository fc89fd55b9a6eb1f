#!/usr/bin/env bash
# Types the paper's numbers.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
