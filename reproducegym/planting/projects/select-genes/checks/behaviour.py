import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from cells import Cells
from genes import select

m = json.load(open("out/metrics.json"))
s = json.load(open("out/selected.json"))
assert len(s["columns"]) == len(set(s["columns"])) == 8 and max(s["columns"]) < 60
assert s["importance"] == sorted(s["importance"], reverse=True) and s["importance"][0] > 0.02
assert m["recall"] >= 0.6 and 0.6 < m["accuracy"] <= 1 and m["recall"] * 5 == round(m["recall"] * 5)
a, b = Cells(50, 20, 3, 1), Cells(50, 20, 3, 2)
assert not np.array_equal(a.x, b.x), "cells ignore the seed"
(x, _), _ = a.halves()
assert x.shape == (25, 20) and len(a.informative) == 3
assert select(a, 3, 1, trees=5)[0] != select(a, 3, 2, trees=5)[0], "selection ignores its seed"
