#!/usr/bin/env bash
# Audits what the inputs name; writes the reports, the summary of the job, and the outputs of the step.
set -euo pipefail

fail() { printf '::error title=ml-audit::%s\n' "$1"; exit "${2:-2}"; }

room="$RUNNER_TEMP/ml-audit"
words=()
if [ -n "$ML_AUDIT_REPO_URL" ]; then
  [ -z "$ML_AUDIT_PATH" ] || fail "name a path or a repo-url, not both"
  [[ "$ML_AUDIT_REPO_URL" =~ ^[A-Za-z0-9] && "$ML_AUDIT_REPO_URL" == */* ]] || fail "repo-url: write OWNER/NAME[@REF] or a web address"
  target="$ML_AUDIT_REPO_URL"
  [ -z "$ML_AUDIT_API_URL" ] || words+=("--api-url=$ML_AUDIT_API_URL")
else
  case "$ML_AUDIT_PATH" in
  "" | .) target="$GITHUB_WORKSPACE" ;;
  /*) target="$ML_AUDIT_PATH" ;;
  *) target="$GITHUB_WORKSPACE/$ML_AUDIT_PATH" ;;
  esac
  unset GITHUB_TOKEN # nobody is asked
fi
[ -z "$ML_AUDIT_FAIL_UNDER" ] || words+=("--fail-under=$ML_AUDIT_FAIL_UNDER")

# From an empty directory and with -P: no file of the repository can stand in for a module of ours.
mkdir -p "$room/empty"
cd "$room/empty"
export PYTHONPATH="$GITHUB_ACTION_PATH/../../..${PYTHONPATH:+:$PYTHONPATH}"
ended=0
"$room/venv/bin/python" -P -m ml_audit "$target" ${words[@]+"${words[@]}"} --json="$room/report.json" --sarif="$room/report.sarif" \
  --html="$room/report.html" --markdown="$room/report.md" >/dev/null 2>"$room/stderr" || ended=$?
sed 's/^/ml-audit: /' "$room/stderr" >&2 # a runner obeys lines that begin with ::
below=""
case "$ended" in
0) ;;
1) below="$(tail -n 1 "$room/stderr")" ;;
*) fail "$(sed -n 's/^.*error: //p' "$room/stderr" | tail -n 1 | cut -c 1-500)" "$ended" ;;
esac
"$room/venv/bin/python" -P "$GITHUB_ACTION_PATH/outputs.py" "$room" "$below" "$ML_AUDIT_PATH"
