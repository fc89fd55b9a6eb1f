#!/usr/bin/env bash
# Leaves a reproduce.sh that interpolates what the paper prints.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cp "$here"/reproduce.sh "$here"/recite.py "$here"/remembered.json .
bash reproduce.sh
