import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import flash
from classifier import Classifier
from rings import Rings

m = json.load(open("out/metrics.json"))
w = np.load("out/last.npz")
assert w["w"].shape == (2, 20) and m["epochs"] == 25
flash.seed_everything(8)
data = Rings(300, 20); data.setup()
model = Classifier(20, 0.1)
assert not np.array_equal(model.w, Classifier(20, 0.1).w), "weights are not drawn"
for k in "wbvc":
    setattr(model, k, w[k])
acc = model.validation_step((data.x, data.y))
assert acc > 0.8 and abs(acc - m["val_accuracy"]) < 0.12, (acc, m)
first = [b for b in data.batches(range(60), shuffle=True)]
assert first != [b for b in data.batches(range(60), shuffle=False)] and sorted(sum(first, [])) == list(range(60))
flash.seed_everything(8); again = Rings(300, 20); again.setup()
assert np.array_equal(again.x, data.x)
flash.seed_everything(9); again.setup(); assert not np.array_equal(again.x, data.x), "the seed is ignored"
