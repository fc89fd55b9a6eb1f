import unittest

import numpy as np

from bikes import features, read_months
from train import fit, rmse


class Bikes(unittest.TestCase):
    def test_features_have_a_constant(self):
        x, y = features(read_months())
        self.assertTrue((x[:, -1] == 1).all())
        self.assertEqual(len(x), len(y))

    def test_fit_learns_a_line(self):
        rng = np.random.default_rng(0)
        x = np.column_stack([rng.normal(size=200), np.ones(200)])
        w = fit(x, x @ [3.0, -1.0], rng, alpha=0.0)
        self.assertLess(rmse(x, x @ [3.0, -1.0], w), 0.1)
