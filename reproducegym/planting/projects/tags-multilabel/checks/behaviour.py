import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from forum import load_questions
from tag import Chains

m = json.load(open("out/metrics.json"))
w = np.load("out/chains.npz")
texts, table, tags = load_questions("questions")
assert tags == m["tags"] == ["pests", "roses", "soil", "water", "winter"] and len(texts) == 78
assert 0.45 < m["micro_f1"] <= 1
orders = {tuple(w[f"order{k}"]) for k in range(4)}
assert all(sorted(o) == list(range(5)) for o in orders) and len(orders) > 1, "the chains are all alike"
model = Chains(2, 4.0, 1).fit(np.array(texts), np.array(table))
guess = model.predict(texts)
assert guess.shape == (78, 5) and (guess == np.array(table)).mean() > 0.85
assert {tuple(Chains(1, 1.0, s).fit(np.array(texts), np.array(table)).chains[0].order_) for s in range(6)} != {tuple(orders)}
