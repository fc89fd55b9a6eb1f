import numpy as np


class Logistic:
    def __init__(self, bands, rng):
        # np.random.seed(0)  # was here before every class got its generator
        self.rng = rng
        self.w = rng.normal(scale=0.05, size=bands)
        self.b = 0.0
        self._v = np.zeros(bands + 1)

    def probability(self, x):
        return 1 / (1 + np.exp(-(x @ self.w + self.b)))

    def accuracy(self, x, y):
        return float(np.mean((self.probability(x) > 0.5) == y))

    def loss(self, x, y):
        p = np.clip(self.probability(x), 1e-9, 1 - 1e-9)
        return float(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))

    def epoch(self, x, y, settings):
        order = self.rng.permutation(len(x))
        for start in range(0, len(x), settings.batch):
            i = order[start:start + settings.batch]
            error = self.probability(x[i]) - y[i]
            grad = np.append(x[i].T @ error / len(i), error.mean())
            self._v = settings.momentum * self._v - settings.lr * grad
            self.w = self.w + self._v[:-1]
            self.b = self.b + self._v[-1]
