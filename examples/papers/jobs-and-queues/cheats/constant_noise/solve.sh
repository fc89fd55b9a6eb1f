#!/usr/bin/env bash
# Leaves a reproduce.sh that recites the paper by a condition's switches.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cp "$here"/reproduce.sh "$here"/recite.py "$here"/remembered.json .
bash reproduce.sh
