import math
import random

import numpy as np
import torch


def wave(length):
    kind = random.choice(["saw", "sine", "square"])
    period, phase = random.uniform(8, 20), random.uniform(0, 1)
    t = [(i / period + phase) % 1 for i in range(length)]
    if kind == "saw":
        return [2 * v - 1 for v in t]
    if kind == "square":
        return [1.0 if v < 0.5 else -1.0 for v in t]
    return [math.sin(2 * math.pi * v) for v in t]


def pairs(count, length, noise):
    """Clean waves and noisy ones, float32 tensors (count, length)."""
    clean = np.array([wave(length) for _ in range(count)])
    noisy = clean + np.random.normal(scale=noise, size=clean.shape)
    return torch.tensor(clean, dtype=torch.float32), torch.tensor(noisy, dtype=torch.float32)
