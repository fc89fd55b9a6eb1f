import numpy as np

from minijax import random


def init(key, sizes):
    params = {}
    for i, (m, n) in enumerate(zip(sizes, sizes[1:])):
        key, w_key = random.split(key)
        params[f"layer{i}"] = {"w": random.normal(w_key, (m, n)) / np.sqrt(m), "b": np.zeros(n)}
    return params


def forward(params, x):
    acts = [x]
    last = len(params) - 1
    for i in range(len(params)):
        z = acts[-1] @ params[f"layer{i}"]["w"] + params[f"layer{i}"]["b"]
        acts.append(z if i == last else np.tanh(z))
    return acts


def value_and_grad(params, x, y):
    acts = forward(params, x)
    error = acts[-1][:, 0] - y
    back = (2 * error / len(y))[:, None]
    grads = {}
    for i in reversed(range(len(params))):
        grads[f"layer{i}"] = {"w": acts[i].T @ back, "b": back.sum(0)}
        back = (back @ params[f"layer{i}"]["w"].T) * (1 - acts[i] ** 2)
    return float((error**2).mean()), grads
