import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from ppm import load_pictures
from quantize import best_of, lloyd, plus_plus

m = json.load(open("out/metrics.json"))
c = np.load("out/palette.npz")["centres"]
assert c.shape == (6, 3) and (c >= 0).all() and (c <= 1).all()
points, names = load_pictures("pictures")
assert names == sorted(names) and len(points) == 768
near = ((points[:, None] - c[None]) ** 2).sum(-1).min(1).sum() * 100 * 500 / 768
assert abs(near - m["inertia"]) < 0.3 * m["inertia"], (near, m["inertia"])
one = ((points - points.mean(0)) ** 2).sum() * 100 * 500 / 768
assert m["inertia"] < 0.3 * one
a, b = (plus_plus(points, 6, np.random.default_rng(s)) for s in (0, 1))
assert not np.array_equal(a, b), "k-means++ ignores its generator"
assert 0 < m["largest"] <= 500 and len(m["legend"]) >= 5
