import numpy as np


class Banana:
    mean = np.array([0.0, 1.0])

    def __call__(self, z):
        x, y = z
        bend = y - x**2
        return -0.5 * x**2 - 2 * bend**2, np.array([-x + 8 * bend * x, -4 * bend])


class Funnel:
    """A mild funnel: v ~ N(0, 1), x | v ~ N(0, exp(v / 2)²)."""

    mean = np.zeros(2)

    def __call__(self, z):
        v, x = z
        scale = np.exp(-v)
        return -0.5 * v**2 - 0.5 * v - 0.5 * x**2 * scale, np.array([-v - 0.5 + 0.5 * x**2 * scale, -x * scale])


TARGETS = {"banana": Banana, "funnel": Funnel}
