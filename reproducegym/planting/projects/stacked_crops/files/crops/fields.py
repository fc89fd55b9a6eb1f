from enum import IntEnum

import numpy as np


class Crop(IntEnum):
    WHEAT = 0
    MAIZE = 1
    BEETS = 2


RED_EDGE = {Crop.WHEAT: 0.42, Crop.MAIZE: 0.50, Crop.BEETS: 0.58}


def fields(count, seed):
    rng = np.random.Generator(np.random.MT19937(seed))
    crop = rng.integers(0, len(Crop), count)
    edge = np.array([RED_EDGE[Crop(c)] for c in crop]) + rng.normal(0, 0.035, count)
    band = np.linspace(0.3, 0.8, 10)
    spectra = 1 / (1 + np.exp(-(band[None] - edge[:, None]) * 30)) + rng.normal(0, 0.12, (count, 10))
    return spectra, crop
