#!/usr/bin/env bash
# Builds the image of agents and re-runs, `reproducegym/base:<hash of its inputs>`, also tagged `latest`.
# From Debian packages (debootstrap + docker import, as root), else with `docker build` from a pulled Python image.
# Safe to call again: does nothing where the image of these inputs is present.
set -euo pipefail
cd "$(dirname "$0")"

NAME="${REPRODUCEGYM_BASE_IMAGE:-reproducegym/base}"
SUITE="${REPRODUCEGYM_BASE_SUITE:-bookworm}"

say() { printf 'build-base: %s\n' "$*" >&2; }
fail() { say "failed: $*"; exit 1; }

command -v docker >/dev/null || fail "there is no docker command; run docker/start-engine.sh"
docker version >/dev/null 2>&1 || fail "no Docker engine answers; run docker/start-engine.sh"

HASH="$({ cat build-base.sh packages.txt Dockerfile; echo "$SUITE $(uname -m)"; } | sha256sum | cut -c1-16)"
IMAGE="$NAME:$HASH"

if docker image inspect "$IMAGE" >/dev/null 2>&1; then
  docker tag "$IMAGE" "$NAME:latest"
  say "$IMAGE is present"
  exit 0
fi

mirror() { # the Debian mirror that apt on this machine is set up with
  apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null \
    | awk -v suite="$SUITE" '$2 == suite { print $1; exit }'
}

work=""
trap '[ -z "$work" ] || rm -rf "$work"' EXIT

bootstrap() {
  local url
  work="$(mktemp -d)"
  url="$(mirror)"
  say "bootstrapping Debian $SUITE into $IMAGE (about a minute)"
  debootstrap --variant=minbase --include="$(paste -sd, packages.txt)" "$SUITE" "$work/root" ${url:+"$url"} \
    >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; return 1; }
  rm -rf "$work"/root/var/cache/apt/archives/*.deb "$work"/root/var/lib/apt/lists/* \
    "$work"/root/usr/share/{man,locale,info}/* "$work"/root/var/log/*.log
  find "$work/root/usr/share/doc" -not -type d -not -name copyright -delete
  mkdir -p "$work/root/workspace" "$work/root/submission" "$work/root/agent"
  tar -C "$work/root" --numeric-owner -c . \
    | docker import --change 'CMD ["sleep", "infinity"]' - "$IMAGE" >/dev/null
}

if [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null && bootstrap; then
  :
else
  say "debootstrap is not possible here; building $IMAGE with docker build"
  docker build -q -t "$IMAGE" . >/dev/null || fail "neither debootstrap nor docker build could make the image"
fi
docker tag "$IMAGE" "$NAME:latest"
say "$IMAGE built"
