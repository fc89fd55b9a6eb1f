import numpy as np


def shifted(images, rng):
    """Each image moved by at most one pixel, zeros coming in."""
    out = np.zeros_like(images)
    for i, (dy, dx) in enumerate(rng.integers(-1, 2, size=(len(images), 2))):
        rolled = np.roll(images[i], (dy, dx), axis=(0, 1))
        if dy:
            rolled[0 if dy > 0 else -1] = 0
        if dx:
            rolled[:, 0 if dx > 0 else -1] = 0
        out[i] = rolled
    return out


def enlarged(images, labels, copies, rng):
    more = [shifted(images, rng) for _ in range(copies)]
    return np.concatenate([images, *more]), np.tile(labels, copies + 1)
