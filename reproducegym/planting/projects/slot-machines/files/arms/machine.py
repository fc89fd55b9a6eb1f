class Machine:
    """Bernoulli arms with their own random stream, so that policies do not disturb each other's luck."""

    def __init__(self, means, rng):
        self.means = list(means)
        self._rng = rng
        self.regret = 0.0

    def pull(self, arm):
        self.regret += max(self.means) - self.means[arm]
        return float(self._rng.random() < self.means[arm])
