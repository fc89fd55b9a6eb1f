import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import toygym
from sarsa import Sarsa

m = json.load(open("out/metrics.json"))
q = np.load("out/q.npz")["q"]
assert q.shape == (16, 4) and m["mean_return"] > m["early"] + 0.2
env = toygym.make("Lake-v0"); env.reset(seed=50); env.action_space.seed(50)
agent = Sarsa(env, np.random.default_rng(0))
agent.q = q
again = np.mean([agent.episode(0.0, learn=False) for _ in range(60)])
assert again > 0.3 and abs(again - m["mean_return"]) < 0.35, (again, m)
env.action_space.seed(1); a = [env.action_space.sample() for _ in range(30)]
env.action_space.seed(2); assert a != [env.action_space.sample() for _ in range(30)]
env.action_space.seed(1); assert a == [env.action_space.sample() for _ in range(30)]
env.reset(seed=4); s = [env.reset()[0] for _ in range(30)]
assert len(set(s)) > 2, "every episode starts in one cell"
