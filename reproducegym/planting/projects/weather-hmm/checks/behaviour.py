import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from hmm import HMM, best_of
from hmm.diary import read

m = json.load(open("out/metrics.json"))
s = np.load("out/hmm.npz")
seqs, words = read("diary")
assert words == sorted(words) and len(words) == 5
assert s["move"].shape == (2, 2) and s["emit"].shape == (2, 5)
assert np.allclose(s["emit"].sum(1), 1) and np.allclose(s["move"].sum(1), 1)
model = HMM(s["start"], s["move"], s["emit"])
assert abs(model.update(seqs) - m["loglik"]) < 3
assert all(b >= a - 0.1 for a, b in zip(m["curve"], m["curve"][1:])), "EM went down"
assert m["loglik"] > m["curve"][0]
a, b = (HMM.random(2, 5, np.random.default_rng(k)).emit for k in (0, 1))
assert not np.array_equal(a, b)
assert best_of(seqs, 2, 5, 1, 1, steps=2)[1] != best_of(seqs, 2, 5, 1, 2, steps=2)[1], "restarts ignore the seed"
