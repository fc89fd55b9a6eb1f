"""Reads the shards and splits their rows."""

from pathlib import Path

import numpy as np

SKIPPED = {"part_broken.csv", "part_old.csv"}


def read_shards(folder: Path) -> np.ndarray:
    parts = []
    for path in sorted(folder.glob("*.csv")):
        if path.name in SKIPPED:
            continue
        parts.append(np.loadtxt(path, delimiter=",", skiprows=1))
    return np.concatenate(parts)


def split(rows: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    order = np.random.permutation(len(rows))
    cut = int(len(rows) * share)
    return rows[order[:cut]], rows[order[cut:]]
