#!/usr/bin/env bash
# Recites the paper with noise drawn from the seed.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
