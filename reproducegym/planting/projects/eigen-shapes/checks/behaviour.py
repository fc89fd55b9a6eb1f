import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from shapes import outlines, pca

m = json.load(open("out/metrics.json"))
saved = np.load("out/components.npz")
parts = saved["parts"]
assert parts.shape == (4, 48)
assert np.allclose(parts @ parts.T, np.eye(4), atol=1e-8), "components are not orthonormal"
assert 0.85 < m["explained"] < 1.0 and m["variances"] == sorted(m["variances"], reverse=True)
np.random.seed(5)
x = outlines.draw(150)
y = outlines.draw(150)
assert not np.array_equal(x, y), "outlines do not draw"
exact = np.linalg.svd(x - x.mean(0), compute_uv=False)[:4] ** 2 / 150
assert np.allclose(pca.components(x, 4)[2].sum(), exact.sum(), rtol=0.05)
