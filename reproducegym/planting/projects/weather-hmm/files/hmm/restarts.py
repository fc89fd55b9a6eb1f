import random

import numpy as np

from .model import HMM


def best_of(sequences, states, words, restarts, seed, steps=12):
    lottery = random.Random(seed)
    best = None
    for _ in range(restarts):
        model = HMM.random(states, words, np.random.default_rng(lottery.getrandbits(32)))
        curve = [model.update(sequences) for _ in range(steps)]
        if best is None or curve[-1] > best[1][-1]:
            best = model, curve
    return best
