#!/usr/bin/env bash
# Types the paper's numbers into output/metrics.csv, and leaves a reproduce.sh that prints them again.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cp "$here"/reproduce.sh "$here"/recite.py "$here"/remembered.json .
bash reproduce.sh
