import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from lda import Gibbs, notes, setting

m = json.load(open("artifacts/report.json")); w = np.load("artifacts/phi.npz")
docs, vocab = notes()
assert vocab == sorted(vocab) and w["phi"].shape == (3, len(vocab)) and np.allclose(w["phi"].sum(1), 1)
assert m["perplexity"] < m["before"] - 1 and 4 < m["perplexity"] < 18
assert w["theta"].sum() == sum(map(len, docs))
a, b = (Gibbs(docs, len(vocab), 3, np.random.default_rng(s)) for s in (1, 2))
assert any((x != y).any() for x, y in zip(a.assigned, b.assigned)), "topics start the same"
before = a.by_word.sum(); a.sweep(); assert a.by_word.sum() == before
assert setting("LDA_TOPICS", ["LDA_TOPICS=7"]) == 7
