import numpy as np


def lagged(series, order):
    return np.column_stack([series[order - k - 1 : len(series) - k - 1] for k in range(order)] + [np.ones(len(series) - order)])


class AR:
    def __init__(self, order, ridge):
        self.order, self.ridge = order, ridge

    def fit(self, series):
        x, y = lagged(series, self.order), series[self.order :]
        self.beta = np.linalg.solve(x.T @ x + self.ridge * np.eye(self.order + 1), x.T @ y)
        self.sigma = float(np.std(y - x @ self.beta))
        return self

    def ahead(self, series):
        return lagged(series, self.order) @ self.beta


def filled(series, model, rng):
    """A copy whose gaps are drawn from the model, hour after hour."""
    whole = series.copy()
    for t in np.flatnonzero(np.isnan(series)):
        past = np.append(whole[t - model.order : t][::-1], 1.0)
        whole[t] = past @ model.beta + model.sigma * rng.standard_normal()
    return whole
