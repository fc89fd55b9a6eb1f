#!/usr/bin/env bash
# Audits repositories (checkouts, or OWNER/NAME[@REF] on GitHub) and leaves every report in a directory.
#
#   bash examples/run_audit.sh examples/papers/optimism-small-budgets
#   OUT=build/audits FAIL_UNDER=6.5 bash examples/run_audit.sh ours OWNER/theirs
#
# One repository: report.json, .sarif, .html, .md and badge.svg. Several: how they compare as .json, .html and .md, and all
# findings in one .sarif. Ends with 1 where a score is below FAIL_UNDER, after everything is written.
set -euo pipefail

[ "$#" -gt 0 ] || { printf 'name a repository: bash examples/run_audit.sh PATH_OR_OWNER/NAME [MORE …]\n' >&2; exit 2; }
out="${OUT:-runs/audits}"
mkdir -p "$out"

flags=(--json "$out/report.json" --sarif "$out/report.sarif" --html "$out/report.html" --markdown "$out/report.md")
if [ "$#" -eq 1 ]; then flags+=(--badge "$out/badge.svg"); else flags+=(--compare); fi
[ -z "${FAIL_UNDER:-}" ] || flags+=(--fail-under "$FAIL_UNDER")

ended=0
ml-audit "$@" "${flags[@]}" || ended=$?
[ "$ended" -gt 1 ] || printf 'reports are in %s\n' "$out"
exit "$ended"
