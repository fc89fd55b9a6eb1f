"""Made-up ballots: eight answers each, and the list that the voter chose."""

import numpy as np
from sklearn.datasets import make_classification


def ballots(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return make_classification(n_samples=rows, n_features=8, n_informative=4, random_state=seed)
