from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shape:
    units: int = 80
    radius: float = 0.9
    density: float = 0.15
    leak: float = 0.4


class Reservoir:
    def __init__(self, shape, seed):
        self.shape = shape
        rng = np.random.default_rng(seed)
        w = rng.uniform(-1, 1, (shape.units, shape.units)) * (rng.random((shape.units, shape.units)) < shape.density)
        self.w = w * shape.radius / np.abs(np.linalg.eigvals(w)).max()
        self.w_in = rng.uniform(-0.5, 0.5, (shape.units, 2))

    def states(self, inputs):
        x = np.zeros(self.shape.units)
        out = np.empty((len(inputs), len(x)))
        for t, u in enumerate(inputs):
            new = np.tanh(self.w @ x + self.w_in @ [1.0, u])
            x = (1 - self.shape.leak) * x + self.shape.leak * new
            out[t] = x
        return out


def readout(states, targets, ridge=1e-6):
    s = np.hstack([states, np.ones((len(states), 1))])
    return np.linalg.solve(s.T @ s + ridge * np.eye(s.shape[1]), s.T @ targets)


def predict(states, w):
    return states @ w[:-1] + w[-1]
