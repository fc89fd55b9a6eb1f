import numpy as np

KINDS = ("bar", "cross", "ring")


def draw(kind, rng, size=12):
    """One glyph in a random place, with noise; float32 (size, size)."""
    image = np.zeros((size, size), dtype=np.float32)
    r, c = rng.integers(3, size - 3, size=2)
    if kind == "bar":
        image[r, c - 3 : c + 4] = 1
    elif kind == "cross":
        image[r, c - 2 : c + 3] = 1
        image[r - 2 : r + 3, c] = 1
    else:
        image[r - 2 : r + 3, c - 2 : c + 3] = 1
        image[r - 1 : r + 2, c - 1 : c + 2] = 0
    if rng.random() < 0.5:
        image = image.T.copy()
    return image + rng.normal(0, 0.35, image.shape).astype(np.float32)
