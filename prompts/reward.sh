#!/bin/bash
# Scores output/metrics.csv beside this directory and prints one number in [0, 1] last. Takes no argument.
set -eu
case "${BASH_SOURCE[0]}" in
  */*) here="${BASH_SOURCE[0]%/*}" ;;
  *) here="." ;;
esac
here="$(cd -P -- "$here" && pwd -P)"
for python in /usr/bin/python3 /usr/local/bin/python3 /bin/python3; do
  [ -x "$python" ] && exec /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 \
    "$python" -I -S "$here/check.py" --contract "$here/contract.json" --metrics "$here/../output/metrics.csv"
done
echo "reward.sh: no python3 in /usr/bin, /usr/local/bin or /bin" >&2
exit 1
