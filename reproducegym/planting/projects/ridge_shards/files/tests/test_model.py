"""The model's error is that of its predictions."""

import numpy as np

from ridge.model import Ridge


def test_error_of_a_perfect_model_is_zero():
    model = Ridge(features=2, rate=0.1, noise=0.0)
    rows = np.array([[1.0, 2.0, 0.0]])
    rows[0, 2] = model.predict(rows[:, :2])[0]
    assert model.error(rows) == 0.0
