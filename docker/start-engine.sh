#!/usr/bin/env bash
# Makes sure that a Docker engine answers on this machine: installs it by apt if missing, starts it, waits. Needs root.
# Safe to call again: does nothing where an engine answers already.
set -euo pipefail

LOG="${REPRODUCEGYM_ENGINE_LOG:-/var/log/reproducegym-dockerd.log}"
WAIT_S="${REPRODUCEGYM_ENGINE_WAIT_S:-60}"

say() { printf 'start-engine: %s\n' "$*" >&2; }
fail() { say "failed: $*"; exit 1; }
answers() { command -v docker >/dev/null && timeout 10 docker version --format '{{.Server.Version}}' 2>/dev/null; }

missing_packages() {
  command -v dockerd >/dev/null || echo docker.io
  command -v debootstrap >/dev/null || echo debootstrap
  command -v bwrap >/dev/null || echo bubblewrap
}

install_missing() {
  local packages
  mapfile -t packages < <(missing_packages)
  [ "${#packages[@]}" -eq 0 ] && return
  [ "$(id -u)" -eq 0 ] || fail "${packages[*]} missing; run this as root, or install them"
  command -v apt-get >/dev/null || fail "${packages[*]} missing and there is no apt-get; install them by hand"
  say "installing ${packages[*]}"
  apt-get update -qq >&2 || fail "apt-get update did not work"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" iptables >&2 \
    || fail "apt-get install ${packages[*]} did not work"
}

start_daemon() {
  [ "$(id -u)" -eq 0 ] || fail "no Docker engine answers; run this as root, or start the engine"
  command -v dockerd >/dev/null || fail "there is no dockerd on this machine"
  # A pid file of an engine that died keeps a new one from starting.
  local pidfile=/var/run/docker.pid
  if [ -f "$pidfile" ] && ! kill -0 "$(cat "$pidfile")" 2>/dev/null; then rm -f "$pidfile"; fi
  setsid nohup dockerd >>"$LOG" 2>&1 </dev/null &
  local daemon=$! waited=0
  until version="$(answers)"; do
    kill -0 "$daemon" 2>/dev/null || fail "dockerd ended at once: $(tail -n 1 "$LOG"); see $LOG"
    [ "$waited" -lt "$WAIT_S" ] || fail "dockerd does not answer after ${WAIT_S} s; see $LOG"
    sleep 1
    waited=$((waited + 1))
  done
  say "engine $version started, log in $LOG"
}

install_missing
if version="$(answers)"; then
  say "engine $version answers"
else
  start_daemon
fi
