#!/usr/bin/env bash
# Makes an environment for ml-audit, from the lock file of this checkout, with hashes; once in a job.
set -euo pipefail

fail() { printf '::error title=ml-audit::%s\n' "$*"; exit 2; }

room="$RUNNER_TEMP/ml-audit"
[ ! -e "$room/installed" ] || exit 0
"$ML_AUDIT_PYTHON" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  fail "Python 3.11 or newer is needed: use actions/setup-python before, or name one with the input python"
mkdir -p "$room"
"$ML_AUDIT_PYTHON" -m venv --without-pip "$room/venv" || fail "no environment can be made; on Debian install python3-venv"
"$room/venv/bin/python" -I "$GITHUB_ACTION_PATH/locked.py" "$GITHUB_ACTION_PATH/../../../requirements/base.lock" >"$room/requirements.txt"
"$ML_AUDIT_PYTHON" -P -m pip --python "$room/venv/bin/python" install -q --disable-pip-version-check --require-hashes \
  -r "$room/requirements.txt" || fail "what ml-audit needs could not be installed; the lines above say why"
touch "$room/installed"
