import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from arms import REGISTRY, Machine
from compare import play

m = json.load(open("out/metrics.json"))
v = json.load(open("out/values.json"))
plan = json.load(open("plans/short.json"))
assert set(v) == set(m["regret"]) == {"greedy", "softmax", "thompson", "ucb1"}
assert all(len(x) == 5 for x in v.values())
blind = plan["pulls"] * (max(plan["means"]) - np.mean(plan["means"]))
assert all(0 < r < 0.75 * blind for r in m["regret"].values()), m
assert m["best_regret"] == min(m["regret"].values())
assert abs(v["ucb1"][3] - 0.72) < 0.1
a = [Machine([0.5], np.random.default_rng(s)) for s in (1, 2)]
assert [a[0].pull(0) for _ in range(40)] != [a[1].pull(0) for _ in range(40)], "machines pay alike"
t = REGISTRY["thompson"](5, np.random.default_rng(0))
assert len({t.choose(i) for i in range(60)}) > 2, "Thompson does not explore"
