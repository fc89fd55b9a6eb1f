import numpy as np


def huber_line(area, price, delta=30.0, rounds=12):
    """Intercept and slope by reweighted least squares."""
    x = np.column_stack([np.ones_like(area), area])
    weight = np.ones_like(area)
    for _ in range(rounds):
        xw = x * weight[:, None]
        beta = np.linalg.solve(x.T @ xw, xw.T @ price)
        residual = np.abs(price - x @ beta)
        weight = np.minimum(1.0, delta / np.maximum(residual, 1e-9))
    return beta


def interval(values, level):
    return [float(v) for v in np.quantile(values, [(1 - level) / 2, (1 + level) / 2])]
