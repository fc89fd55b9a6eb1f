import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import torch
from corridor import Corridor
from policy import Policy
from reinforce import episode, to_go

m = json.load(open("out/metrics.json"))
w = np.load("out/policy.npz")
policy = Policy(6)
assert not torch.equal(policy.hidden.weight, Policy(6).hidden.weight)
torch.manual_seed(3)
env = Corridor(np.random.default_rng(5))
with torch.no_grad():
    coin = np.mean([sum(episode(env, policy)[1]) for _ in range(30)])
    policy.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
    again = np.mean([sum(episode(env, policy)[1]) for _ in range(60)])
assert again > coin + 0.3 and again > 0 and abs(again - m["mean_return"]) < 0.4, (again, coin, m)
assert torch.allclose(to_go([0, 0, 1.0], 0.5), torch.tensor([0.25, 0.5, 1.0]))
def trail(s):
    e = Corridor(np.random.default_rng(s), 0.5); e.reset()
    return [int(e.step(1)[0].argmax()) for _ in range(12)]
assert trail(1) != trail(2), "the wind ignores the seed"
