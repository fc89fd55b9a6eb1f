from dataclasses import dataclass

import numpy as np
from sklearn.datasets import make_classification


@dataclass(frozen=True)
class Loans:
    count: int
    columns: int
    redundancy: float

    def draw(self, seed):
        redundant = int(self.columns * self.redundancy) - 2
        x, y = make_classification(
            n_samples=self.count, n_features=self.columns, n_informative=3, n_redundant=redundant,
            flip_y=0.12, weights=[0.7], class_sep=0.9, shuffle=True, random_state=seed,
        )
        return x.astype(np.float64), y
