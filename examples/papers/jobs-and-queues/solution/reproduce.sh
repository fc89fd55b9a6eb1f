#!/usr/bin/env bash
# One run: reads REPRODUCEGYM_*, writes metrics.csv (see reproduce.py).
set -euo pipefail
exec python3 "$(dirname "${BASH_SOURCE[0]}")/reproduce.py"
