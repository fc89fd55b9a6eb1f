import random


class Discrete:
    """0 … n-1, with a generator of its own that only `seed` touches."""

    def __init__(self, n):
        self.n = n
        self._random = random.Random(0)

    def seed(self, seed):
        self._random.seed(seed)

    def sample(self):
        return self._random.randrange(self.n)
