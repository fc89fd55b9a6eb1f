import numpy as np


class ChangePoint:
    """Poisson rates before and after a year; exponential priors on rates, uniform on the year."""

    def __init__(self, years, counts):
        self.years, self.counts = years, counts

    def log_density(self, z):
        before, after, year = np.exp(z[0]), np.exp(z[1]), z[2]
        if not self.years[0] < year < self.years[-1]:
            return -np.inf
        rate = np.where(self.years < year, before, after)
        return float((self.counts * np.log(rate) - rate).sum() - before / 10 - after / 10 + z[0] + z[1])

    def start(self, rng):
        return np.array([*rng.normal(1.0, 0.5, size=2), rng.uniform(self.years[3], self.years[-3])])
