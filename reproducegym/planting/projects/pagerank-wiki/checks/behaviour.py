import json, os, random, sys
sys.path.insert(0, os.getcwd())
from kendall import tau
from surf import Surfer, by_power, by_surfing
from wiki_graph import Graph

m = json.load(open("out/metrics.json"))
r = json.load(open("out/ranks.json"))
g = Graph.read("wiki")
assert g.pages == sorted(g.pages) and len(g) == m["pages"] == len(r) == 14
assert abs(sum(r.values()) - 1) < 1e-9 and list(r.values()) == sorted(r.values(), reverse=True)
exact = dict(zip(g.pages, by_power(g, 0.85)))
assert all(abs(exact[p] - r[p]) < 0.02 for p in r), "surfers do not agree with the power iteration"
assert exact != r and 0.7 < m["tau"] <= 1 and max(r, key=r.get) == "water"
assert not (by_surfing(g, 2, 30, 0.85, 1) == by_surfing(g, 2, 30, 0.85, 2)).all()
s = Surfer(g, 0.85, random.Random(3))
assert len({s.click() for _ in range(200)}) > 8
assert tau([1, 2, 3], [1, 2, 3]) == 1 and tau([1, 2, 3], [3, 2, 1]) == -1
