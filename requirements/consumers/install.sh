#!/usr/bin/env bash
# Installs whole applications that read our exports, each from its lock into a venv of its own:
# install.sh VENV NAME... makes VENV/consumers/NAME. Safe to call again: does nothing where the lock is installed.
# Tests of a consumer skip, and say so, where it could not be installed.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
venv="$1"
shift

say() { printf 'install-consumers: %s\n' "$*" >&2; }

python_for() { # the first Python of 3.12 or newer that answers: Harbor wants no older one
  local candidate
  for candidate in python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[234].*/bin/python3; do
    "$candidate" -c 'import venv' >/dev/null 2>&1 && { command -v "$candidate"; return; }
  done
  say "no Python 3.12 or newer answers"
  return 1
}

failed=0
for name in "$@"; do
  place="$venv/consumers/$name"
  lock="$here/$name.lock"
  cmp -s "$lock" "$place/installed.lock" && continue
  say "installing $name"
  if python="$(python_for)" && rm -rf "$place" && "$python" -m venv "$place" \
    && "$place/bin/python" -m pip install -q --disable-pip-version-check --no-compile --no-deps --require-hashes -r "$lock" 2>"$place/log"; then
    cp "$lock" "$place/installed.lock"
  else
    grep -a ERROR "$place/log" 2>/dev/null | tail -n 1 >&2 || true
    say "$name could not be installed: its tests will skip"
    failed=1
  fi
done
exit "$failed"
