import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import torch
from waves.autoencoder import Autoencoder, decibels
from waves.repeat import make_repeatable
from waves.shapes import pairs, wave

m = json.load(open("out/metrics.json"))
w = np.load("out/weights.npz")
make_repeatable(9)
clean, noisy = pairs(200, 32, 0.6)
assert 0.3 < float((noisy - clean).std()) < 0.8 and wave(32) != wave(32)
model = Autoencoder(32, 8, 0.05)
assert not torch.equal(model.encoder[0].weight, Autoencoder(32, 8, 0.05).encoder[0].weight)
model.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
model.eval()
with torch.no_grad():
    gain = decibels(clean, noisy, model(noisy))
assert gain > 1 and m["gain"] > 1 and abs(gain - m["gain"]) < 1.5, (gain, m)
make_repeatable(9); a = pairs(3, 8, 0.1)[1]
make_repeatable(10); assert not torch.equal(a, pairs(3, 8, 0.1)[1]), "make_repeatable ignores the seed"
