import numpy as np


def simulate(settings, rng):
    """Echo energies (n, bands) and 1 for a mine, 0 for a rock."""
    label = rng.integers(0, 2, size=settings.echoes)
    band = np.linspace(0, 1, settings.bands)
    centre = np.where(label, 0.62, 0.41)[:, None] + rng.normal(scale=0.08, size=(settings.echoes, 1))
    energy = np.exp(-((band - centre) ** 2) / 0.03)
    energy += rng.normal(scale=settings.noise / 2, size=energy.shape)
    return energy, label


def three_ways(n, rng):
    order = rng.permutation(n)
    return np.split(order, [int(n * 0.6), int(n * 0.8)])
