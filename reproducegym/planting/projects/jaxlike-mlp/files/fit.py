import argparse
import json
import os

import numpy as np

import minijax as jax
from net import forward, init, value_and_grad


def data(key, count):
    x_key, noise_key = jax.random.split(key)
    x = jax.random.uniform(x_key, (count, 1), -2, 2)
    return x, np.sin(2 * x[:, 0]) + 0.1 * jax.random.normal(noise_key, (count,))


def fit(key, steps, width, batch=32, rate=0.1):
    init_key, data_key, test_key, order_key = jax.random.split(key, 4)
    params = init(init_key, [1, width, width, 1])
    x, y = data(data_key, 256)
    for step in range(steps):
        rows = jax.random.permutation(jax.random.fold_in(order_key, step), len(x))[:batch]
        _, grads = value_and_grad(params, x[rows], y[rows])
        params = jax.tree.map2(lambda p, g: p - rate * g, params, grads)
    x_test, y_test = data(test_key, 200)
    return params, float(((forward(params, x_test)[-1][:, 0] - y_test) ** 2).mean())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--width", type=int, default=16)
    args = parser.parse_args()
    params, mse = fit(jax.random.PRNGKey(args.seed), args.steps, args.width)
    os.makedirs("out", exist_ok=True)
    np.savez("out/params.npz", **dict(jax.tree.leaves(params)))
    with open("out/metrics.json", "w") as f:
        json.dump({"mse": mse, "steps": args.steps}, f)
    print(f"mse {mse:.4f}")


if __name__ == "__main__":
    main()
