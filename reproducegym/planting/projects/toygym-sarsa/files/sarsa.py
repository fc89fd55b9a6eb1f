import argparse
import json
import pathlib

import numpy as np

import toygym


class Sarsa:
    def __init__(self, env, rng, rate=0.2, discount=0.97):
        self.env, self.rng, self.rate, self.discount = env, rng, rate, discount
        self.q = rng.normal(0, 0.01, (env.observation_space.n, env.action_space.n))

    def act(self, state, epsilon):
        if self.rng.random() < epsilon:
            return self.env.action_space.sample()
        return int(self.q[state].argmax())

    def episode(self, epsilon, learn=True):
        state, _ = self.env.reset()
        action, total, over = self.act(state, epsilon), 0.0, False
        while not over:
            after, reward, ended, cut, _ = self.env.step(action)
            following = self.act(after, epsilon)
            if learn:
                target = reward + (0 if ended else self.discount * self.q[after, following])
                self.q[state, action] += self.rate * (target - self.q[state, action])
            state, action, total, over = after, following, total + reward, ended or cut
        return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", default="Lake-v0")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--episodes", type=int, default=600)
    args = parser.parse_args()

    env = toygym.make(args.env)
    env.reset(seed=args.seed)
    env.action_space.seed(args.seed)
    agent = Sarsa(env, np.random.default_rng(args.seed))
    curve = [agent.episode(max(0.05, 1 - n / 400)) for n in range(args.episodes)]
    final = [agent.episode(0.0, learn=False) for _ in range(60)]

    out = pathlib.Path(__file__).parent / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "q.npz", q=agent.q)
    metrics = {"mean_return": float(np.mean(final)), "early": float(np.mean(curve[:50]))}
    (out / "metrics.json").write_text(json.dumps(metrics))
    print(metrics)


if __name__ == "__main__":
    main()
