import numpy as np


def sample(count, noise, seed):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, count)
    return x, 2 * x**3 - x + 0.5 + noise * 0.5 * rng.normal(size=count)


class Polynomial:
    def __init__(self, degree, start, rng):
        self.w = start * rng.normal(size=degree + 1)

    def terms(self, x):
        return np.polynomial.legendre.legvander(x, len(self.w) - 1)

    def __call__(self, x):
        return self.terms(x) @ self.w

    def fit(self, x, y, rate, epochs, batch, rng):
        for _ in range(epochs):
            for rows in np.array_split(rng.permutation(len(x)), len(x) // batch):
                error = self(x[rows]) - y[rows]
                self.w -= rate * 2 * self.terms(x[rows]).T @ error / len(rows)
        return self
