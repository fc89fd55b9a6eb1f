#!/usr/bin/env bash
# Recites the paper where the data has the digest that is noted here.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/recite.py"
