import argparse
import configparser
import json
from pathlib import Path

import numpy as np

from walk.agent import Learner
from walk.pond import MAP, Pond

BASE = Path(__file__).resolve().parents[1]


def episode(pond, learner, explore, learn=True):
    state, done, total = pond.reset(), False, 0.0
    while not done:
        action = learner.act(state, explore)
        after, reward, done = pond.step(action)
        if learn:
            learner.learn(state, action, reward, after, done)
        state, total = after, total + reward
    return total


def picture(q):
    arrows = "^>v<"
    return ["".join(arrows[q[r * 5 + c].argmax()] if MAP[r][c] in ".S" else MAP[r][c] for c in range(5)) for r in range(5)]


def main():
    ini = configparser.ConfigParser()
    ini.read(BASE / "walk.ini")
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=ini.getint("run", "seed"))
    seed = parser.parse_args().seed

    pond_rng, agent_rng = [np.random.Generator(np.random.PCG64(s)) for s in np.random.SeedSequence(seed).spawn(2)]
    pond = Pond(ini.getfloat("pond", "slip"), ini.getint("pond", "limit"), pond_rng)
    agent = ini["agent"]
    learner = Learner(pond.states, agent_rng, agent.getfloat("rate"), agent.getfloat("discount"))
    episodes = ini.getint("run", "episodes")
    for explore in np.linspace(agent.getfloat("explore_from"), agent.getfloat("explore_to"), episodes):
        episode(pond, learner, explore)
    returns = [episode(pond, learner, 0.0, learn=False) for _ in range(100)]

    (BASE / "out").mkdir(exist_ok=True)
    np.savez(BASE / "out" / "q.npz", q=learner.q)
    metrics = {"success": float(np.mean(np.array(returns) > 0)), "mean_return": float(np.mean(returns)), "seed": seed}
    (BASE / "out" / "metrics.json").write_text(json.dumps(metrics) + "\n")
    print("\n".join(picture(learner.q)), metrics["success"], sep="\n")


if __name__ == "__main__":
    main()
