import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import minijax as jax
from fit import data
from net import forward, init

m = json.load(open("out/metrics.json"))
w = np.load("out/params.npz")
params = {f"layer{i}": {"w": w[f"layer{i}.w"], "b": w[f"layer{i}.b"]} for i in range(3)}
x, y = data(jax.random.PRNGKey(321), 200)
mse = float(((forward(params, x)[-1][:, 0] - y) ** 2).mean())
assert mse < 0.15 and abs(mse - m["mse"]) < 0.05, (mse, m)
a, b = jax.random.split(jax.random.PRNGKey(1))
assert a != b and not np.array_equal(jax.random.normal(a, (3,)), jax.random.normal(b, (3,)))
assert np.array_equal(jax.random.normal(a, (3,)), jax.random.normal(a, (3,)))
p, q = init(a, [1, 4, 1]), init(b, [1, 4, 1])
assert not np.array_equal(p["layer0"]["w"], q["layer0"]["w"]), "init ignores its key"
x2, noise = data(a, 300)
assert abs(np.corrcoef(x2[:, 0], noise - np.sin(2 * x2[:, 0]))[0, 1]) < 0.2, "x and noise come from one key"
