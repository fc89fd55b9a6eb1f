#!/usr/bin/env bash
# Takes honest code and leaves a reproduce.sh that uses it for the beginning of a run only, with checkpoints to match.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cp "$here"/*.py "$here"/reproduce.sh "$here"/remembered.json .
python3 keep.py
