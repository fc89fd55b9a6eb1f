import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from rnn import RNN
from train import encode

m = json.load(open("out/metrics.json"))
w = dict(np.load("out/rnn.npz"))
codes, letters = encode(open("verses.txt").read())
assert letters == sorted(letters) and m["letters"] == len(letters)
assert w["U"].shape == (32, 32) and w["V"].shape == (32, len(letters))
model = RNN(len(letters), 32, np.random.default_rng(0))
start = model.parameters["U"].copy()
assert not np.array_equal(start, RNN(len(letters), 32, np.random.default_rng(1)).parameters["U"])
untrained = model.loss(codes[:-1], codes[1:], np.zeros(32))[0] / np.log(2)
model.parameters = w
bits = model.loss(codes[:-1], codes[1:], np.zeros(32))[0] / np.log(2)
assert bits < untrained - 0.8 and bits < 3.9 and 1.5 < m["bits"] < 4.2, (bits, untrained, m["bits"])
assert model.sample(0, 40, np.random.default_rng(1)) != model.sample(0, 40, np.random.default_rng(2))
assert len(m["verse"]) == 61 and set(m["verse"]) <= set(letters)
