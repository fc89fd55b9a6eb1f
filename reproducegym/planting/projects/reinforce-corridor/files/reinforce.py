import argparse
import json
import logging
import pathlib

import numpy as np
import torch

from corridor import Corridor
from policy import Policy

logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)


def episode(env, policy):
    seen, done = env.reset(), False
    logs, rewards = [], []
    while not done:
        choice = policy(torch.from_numpy(seen))
        action = choice.sample()
        logs.append(choice.log_prob(action))
        seen, reward, done = env.step(int(action))
        rewards.append(reward)
    return torch.stack(logs), rewards


def to_go(rewards, discount=0.98):
    total, out = 0.0, []
    for reward in reversed(rewards):
        total = reward + discount * total
        out.append(total)
    return torch.tensor(out[::-1])


def train(seed, episodes, lr):
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    env, policy = Corridor(np.random.default_rng(seed)), Policy(Corridor.length)
    optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
    baseline = 0.0
    for number in range(episodes):
        logs, rewards = episode(env, policy)
        returns = to_go(rewards)
        loss = -(logs * (returns - baseline)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        baseline = 0.9 * baseline + 0.1 * float(returns[0])
        if number % 50 == 49:
            logging.info("episode %d, baseline %.2f", number + 1, baseline)
    with torch.no_grad():
        returns = [sum(episode(env, policy)[1]) for _ in range(50)]
    return policy, float(np.mean(returns))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--episodes", type=int, default=150)
    parser.add_argument("--lr", type=float, default=0.03)
    args = parser.parse_args()
    policy, mean_return = train(args.seed, args.episodes, args.lr)
    out = pathlib.Path(__file__).resolve().parent / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "policy.npz", **{k: v.numpy() for k, v in policy.state_dict().items()})
    (out / "metrics.json").write_text(json.dumps({"mean_return": mean_return, **vars(args)}))
    print("mean return", round(mean_return, 3))


if __name__ == "__main__":
    main()
