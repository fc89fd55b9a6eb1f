import json, os, sys
sys.path.insert(0, os.getcwd())
from perceptron import Perceptron
from tagger import sentences

m = json.load(open("tagger.metrics.json")); w = json.load(open("tagger.json"))
data = sentences("treebank")
assert len(data) == 84 and len(m["curve"]) == 6 and m["curve"][-1] > m["curve"][0]
model = Perceptron({t for _, ts in data for t in ts})
assert model.tags == ["ADJ", "ADV", "DET", "NOUN", "VERB"]
assert model.tag(["x", "y"]) == ["VERB", "VERB"]
for f, row in w.items():
    model.weights[f].update(row)
acc = sum(g == t for ws, ts in data for g, t in zip(model.tag(ws), ts)) / sum(len(t) for _, t in data)
assert acc > 0.9 and 0.8 < m["accuracy"] <= 1, (acc, m)
assert any(abs(v) > 0.2 for row in w.values() for v in row.values())
assert model.tag("the quick fox saw a duck".split())[:3] == ["DET", "ADJ", "NOUN"]
