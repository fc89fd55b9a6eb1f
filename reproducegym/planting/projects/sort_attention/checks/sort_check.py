import json, os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "sorting"))
import numpy as np, torch
from attention import Sorter
from main import accuracy
from stream import stream
m = json.load(open("sorting/out/metrics.json")); w = np.load("sorting/out/attention.npz")
model = Sorter(5); fresh = accuracy(model, stream(4, 64, 5, 9))
assert not torch.equal(model.place, Sorter(5).place)
model.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
acc = accuracy(model, stream(5, 64, 5, 999))
assert acc > 0.38 and acc > fresh + 0.15 and abs(acc - m["accuracy"]) < 0.1, (acc, fresh, m)
a, b = (next(iter(stream(1, 8, 5, s)))[0] for s in (1, 2))
assert not torch.equal(a, b)
