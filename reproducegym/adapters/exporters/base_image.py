"""Names the image of agents and re-runs by the digest of what it is built from, as docker/build-base.sh tags it."""

import hashlib
import platform

from reproducegym.resources import shipped

__all__ = ["pinned"]

_INPUTS = ("build-base.sh", "packages.txt", "Dockerfile")
_SUITE = "bookworm"


def pinned(image: str) -> str:
    """The image with a tag that says what is in it; as it is where it has a tag or a digest already."""
    if "@" in image or ":" in image.rsplit("/", maxsplit=1)[-1]:
        return image
    whole = b"".join(shipped("docker", name).read_bytes() for name in _INPUTS)
    machine = f"{_SUITE} {platform.machine()}\n".encode()
    return f"{image}:{hashlib.sha256(whole + machine).hexdigest()[:16]}"
