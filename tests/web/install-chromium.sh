#!/usr/bin/env bash
# Installs the browser of the tests of pages by apt, as root. Safe to call again: does nothing where it is there.
# The tests skip, and say so, where it could not be done.
set -euo pipefail

say() { printf 'install-chromium: %s\n' "$*" >&2; }

command -v chromium >/dev/null && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  say "chromium missing; install it, or run this as root where there is apt-get"
  exit 1
fi
say "installing chromium and a font"
log="$(mktemp)"
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } \
  >"$log" 2>&1 || { tail -n 3 "$log" >&2; say "apt-get did not work; see $log"; exit 1; }
rm -f "$log"
