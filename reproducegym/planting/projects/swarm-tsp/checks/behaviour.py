import json, os, random, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from genes.island import evolve, first
from genes.operators import crossover, invert
from genes.towns import distances, length, towns

m = json.load(open("out/metrics.json"))
t = json.load(open("out/tour.json"))
assert sorted(t["tour"]) == list(range(24)) and len(t["best_by_island"]) == 2
assert min(t["best_by_island"]) == m["length"] < 0.75 * m["start"] and 3 < m["length"] < 6.2
assert all(n > 1 for n in m["distinct"])
assert not np.array_equal(towns(5, 1), towns(5, 2)), "towns ignore the seed"
r = random.Random(1)
a, b = list(range(10)), list(range(9, -1, -1))
assert all(sorted(crossover(a, b, r)) == a for _ in range(20))
assert len({tuple(invert(a, r)) for _ in range(20)}) > 5
d = distances(towns(8, 3)).tolist()
p = first(d, 10, 1)
assert p != first(d, 10, 2) and abs(p[0][0] - length(p[0][1], d)) < 1e-12
random.seed(1)
one = evolve(d, p, 3)[0]
random.seed(2)
assert evolve(d, p, 3)[0] != one, "an island ignores its seed"
