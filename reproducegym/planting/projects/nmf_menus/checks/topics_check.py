import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from corpus import menus, thinned
from menus import factorise
m = json.load(open("topics.json")); w = np.load("topics.npz")
assert w["components"].shape == (3, m["words"]) and w["shares"].shape == (36, 3) and (w["components"] >= 0).all()
groups = [{"ramen", "miso", "udon", "tofu", "nori"}, {"risotto", "pesto", "gnocchi", "basil", "ragu"}, {"taco", "salsa", "mole", "corn", "lime"}]
assert sum(max(len(g & set(t)) for g in groups) for t in m["tops"]) >= 7 and 2 < m["error"] < 25
lines = menus("menus.csv")
assert len(lines) == 36 and thinned(lines, 0.3, 1) != thinned(lines, 0.3, 2)
assert thinned(lines, 0.0, 1) == [" ".join(l.split()) for l in lines]
a, b = (factorise(lines, 3, 5, s)[1].components_ for s in (1, 2))
assert not np.array_equal(a, b)
