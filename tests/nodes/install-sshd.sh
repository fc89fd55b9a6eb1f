#!/usr/bin/env bash
# Installs what the tests of nodes need by apt, as root: an sshd (no service is started) and the tools of namespaces.
# Safe to call again: does nothing where all is there. The tests skip, and say so, where it could not be done.
set -euo pipefail

say() { printf 'install-sshd: %s\n' "$*" >&2; }
PATH="$PATH:/usr/sbin:/sbin"

missing_packages() {
  command -v sshd >/dev/null || echo openssh-server
  command -v ssh >/dev/null || echo openssh-client
  command -v ip >/dev/null || echo iproute2
  command -v unshare >/dev/null || echo util-linux
  command -v bwrap >/dev/null || echo bubblewrap
}

mapfile -t packages < <(missing_packages)
[ "${#packages[@]}" -gt 0 ] || exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  say "${packages[*]} missing; install them, or run this as root where there is apt-get"
  exit 1
fi

# A package must not start a server on this machine: this is how Debian asks for it.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
say "installing ${packages[*]}"
log="$(mktemp)"
{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } \
  >"$log" 2>&1 || { tail -n 3 "$log" >&2; say "apt-get did not work; see $log"; exit 1; }
rm -f "$log"
