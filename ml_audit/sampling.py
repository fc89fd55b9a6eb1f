"""Which files of a large repository are read: bounded, and by their names alone."""

import hashlib

__all__ = ["LONGEST_FILE", "MOST_BYTES", "MOST_FILES", "sampled"]

LONGEST_FILE = 8_000_000
"""Bytes: longer files are listed, not read, notebooks with many pictures excepted up to this length."""

MOST_FILES = 2_000
"""Files read at most; of more, a sample is taken that depends on their names alone."""

MOST_BYTES = 200_000_000
"""Bytes read at most, all files together."""

_FIRST = (".toml", ".cfg", ".lock", ".md", ".rst", ".yml", ".yaml", ".dvc")


def sampled(paths: list[str], most: int) -> list[str]:
    """At most that many files: what describes the whole first, then code by a hash of its name."""
    if len(paths) <= most:
        return paths

    def rank(path: str) -> tuple[int, int, str]:
        describes = path.endswith(_FIRST) or "." not in path.rsplit("/", 1)[-1]
        depth = path.count("/")
        return (0 if describes and depth == 0 else 1, 0 if depth <= 1 else 1, hashlib.sha256(path.encode()).hexdigest())

    return sorted(sorted(paths, key=rank)[:most])
