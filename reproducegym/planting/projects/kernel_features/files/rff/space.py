from functools import partial

import numpy as np


def _cosines(x, omega, phase):
    return np.sqrt(2 / len(phase)) * np.cos(x @ omega + phase)


def feature_map(dim, count, bandwidth, gen):
    omega = gen.normal(scale=1 / bandwidth, size=(dim, count))
    phase = gen.uniform(0, 2 * np.pi, size=count)
    return partial(_cosines, omega=omega, phase=phase)


def solve(phi, y, ridge):
    return np.linalg.solve(phi.T @ phi + ridge * len(y) * np.eye(phi.shape[1]), phi.T @ y)
