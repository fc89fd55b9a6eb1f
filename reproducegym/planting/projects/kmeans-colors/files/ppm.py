"""Plain-text PPM files (P3)."""
from pathlib import Path

import numpy as np


def read_ppm(path):
    words = Path(path).read_text().split()
    assert words[0] == "P3", path
    width, height, top = (int(w) for w in words[1:4])
    pixels = np.array(words[4:], dtype=float) / top
    return pixels.reshape(height * width, 3)


def load_pictures(folder):
    files = sorted(p for p in Path(folder).iterdir() if p.suffix == ".ppm")
    return np.concatenate([read_ppm(p) for p in files]), [p.stem for p in files]
