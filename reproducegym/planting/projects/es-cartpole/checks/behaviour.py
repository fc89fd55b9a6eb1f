import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from cartpole import CartPole
from evolve import Evolution, balance, ranks

m = json.load(open("out/metrics.json"))
theta = np.load("out/policy.npz")["theta"]
assert theta.shape == (5,)
env = CartPole(np.random.RandomState(77))
again = np.mean([balance(theta, env) for _ in range(20)])
assert m["steps"] > 90 and abs(again - m["steps"]) < 40, (again, m["steps"])
assert np.mean([balance(np.zeros(5), env) for _ in range(10)]) < 30
assert abs(ranks(np.array([3.0, 1.0, 2.0])) - [0.5, -0.5, 0.0]).max() < 1e-12
assert not np.array_equal(Evolution(1, 2, 0.1).theta, Evolution(2, 2, 0.1).theta), "theta ignores the seed"
assert not np.array_equal(env.reset(), env.reset()), "every episode starts alike"
