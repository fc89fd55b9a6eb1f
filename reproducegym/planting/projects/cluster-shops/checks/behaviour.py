import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from shops.cluster import group, stability
from shops.weeks import jittered, load_towns

m = json.load(open("out/metrics.json"))
w = np.load("out/centres.npz")
names, shares = load_towns()
assert names == sorted(names, key=lambda n: n.split("/")[0]) and shares.shape == (80, 7)
assert w["means"].shape == (4, 7) and np.allclose(w["means"].sum(1), 1) and m["groups"] == 4
near = ((shares[:, None] - w["means"][None]) ** 2).sum(-1).argmin(1)
assert (near == w["labels"]).mean() > 0.97
assert 0.15 < m["silhouette"] < 0.8 and -0.5 <= m["agreement"] <= 1 and 0.3 < m["stability"] <= 1
a, b = jittered(shares, np.random.default_rng(1)), jittered(shares, np.random.default_rng(2))
assert not np.array_equal(a, b) and abs(a / shares - 1).max() < 0.1
first = {tuple(np.round(group(shares, 4, s)[0].cluster_centers_[0], 6)) for s in range(4)}
assert len(first) > 1, "k-means ignores its seed"
