"""A linear model that is trained by stochastic steps on noisy inputs."""

import numpy as np


class Ridge:
    def __init__(self, features: int, rate: float, noise: float) -> None:
        self.w = np.random.normal(0.0, 0.1, features)
        self.b = 0.0
        self.rate = rate
        self.noise = noise

    def predict(self, x: np.ndarray) -> np.ndarray:
        return x @ self.w + self.b

    def epoch(self, rows: np.ndarray) -> None:
        for row in rows[np.random.permutation(len(rows))]:
            x = row[:-1] + np.random.normal(0.0, self.noise, len(self.w))
            gap = float(self.predict(x) - row[-1])
            self.w -= self.rate * gap * x
            self.b -= self.rate * gap

    def error(self, rows: np.ndarray) -> float:
        return float(np.mean((self.predict(rows[:, :-1]) - rows[:, -1]) ** 2))
