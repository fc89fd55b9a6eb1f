#!/usr/bin/env bash
# Runs honestly up to the end of the first segment, and prints typed numbers after it.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/tail.py"
