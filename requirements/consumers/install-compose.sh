#!/usr/bin/env bash
# Gives Harbor the compose plugin that Debian's Docker engine comes without: install-compose.sh DIR puts it in
# DIR/cli-plugins, to be used with DOCKER_CONFIG=DIR. Does nothing where `docker compose` answers already, with or
# without it. It is taken from a later Debian release than this machine's; nothing of the system changes.
set -euo pipefail
place="$1/cli-plugins/docker-compose"
NEEDED=2.34 # harbor lint asks compose for --no-env-resolution

say() { printf 'install-compose: %s\n' "$*" >&2; }
recent() { [ -n "$1" ] && [ "$(printf '%s\n%s\n' "$NEEDED" "$1" | sort -V | head -n 1)" = "$NEEDED" ]; }

recent "$(docker compose version --short 2>/dev/null)" && exit 0
recent "$(DOCKER_CONFIG="$1" docker compose version --short 2>/dev/null)" && exit 0
command -v apt-get >/dev/null || { say "docker compose $NEEDED or newer is missing; install it"; exit 1; }

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work/lists/partial" "$work/archives/partial" "${place%/*}"
mirror="$(apt-get indextargets --format '$(REPO_URI) $(SUITE)' 'Created-By: Packages' 2>/dev/null \
  | awk '$2 !~ /-/ && $1 ~ /debian\/?$/ { print $1; exit }')"
for release in forky sid; do
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $release main" >"$work/sources.list"
  say "taking docker-compose from Debian $release"
  options=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work" -o Acquire::Languages=none -o APT::Sandbox::User=root)
  if (cd "$work" && apt-get "${options[@]}" update && apt-get "${options[@]}" download docker-compose) >"$work/log" 2>&1; then
    dpkg-deb --fsys-tarfile "$work"/docker-compose_*.deb | tar -xO ./usr/libexec/docker/cli-plugins/docker-compose >"$place.new"
    chmod 755 "$place.new"
    mv "$place.new" "$place"
    recent "$(DOCKER_CONFIG="$1" docker compose version --short 2>/dev/null)" && exit 0
  fi
  tail -n 2 "$work/log" >&2
done
say "docker-compose could not be had; tests of Harbor will skip"
exit 1
