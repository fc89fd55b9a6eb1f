#!/usr/bin/env bash
# Leaves a solution that runs real experiments, but the same strategy for every condition.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cp "$here"/reproduce.sh "$here"/reproduce.py .
