import numpy as np


class Cells:
    def __init__(self, rows, columns, informative, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.standard_normal((rows, columns))
        self.informative = np.sort(rng.choice(columns, informative, replace=False))
        signal = self.x[:, self.informative] @ rng.uniform(0.8, 1.6, informative)
        self.y = (signal + 0.5 * rng.standard_normal(rows) > 0).astype(int)

    def halves(self):
        middle = len(self.x) // 2
        return (self.x[:middle], self.y[:middle]), (self.x[middle:], self.y[middle:])
