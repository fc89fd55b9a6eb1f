"""A trainer's loop around the reproducibility auditor, with a scripted policy in the model's place; runs on a CPU.

The reward function has the signature of TRL's GRPOTrainer: `reward(prompts, completions, **columns) -> list[float]`,
where `columns` are those of the data set, here `level` and `seed`. A completion is what the policy and the game wrote:
a triage, feedback, an audit. To train a model, give `rows(…)` to `datasets.Dataset.from_list` and
`auditor_reward` to `GRPOTrainer(reward_funcs=…)`, with a rollout that plays both steps as `rollout` does here.
"""

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator

import gymnasium

import reproducegym  # noqa: F401 - makes the environments known

Message = dict[str, str]
Policy = Callable[[list[Message]], str]

_SYSTEM = "Find what makes this experiment irreproducible. Answer with a triage, then with an audit, each as JSON."


def rows(count: int, levels: tuple[str, ...] = ("easy", "medium", "hard")) -> list[dict[str, object]]:
    """The data set: a level and a seed are all that an episode needs."""
    return [{"level": levels[n % len(levels)], "seed": n} for n in range(count)]


def rollout(env: gymnasium.Env, seed: int, policy: Policy) -> tuple[list[Message], list[Message]]:
    """Play one episode; the prompt, and the messages that follow it."""
    text, _ = env.reset(seed=seed)
    prompt = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": text}]
    triage = policy(prompt)
    text, *_ = env.step(triage)
    messages = [
        {"role": "assistant", "content": triage},
        {"role": "user", "content": text[text.rfind("=== feedback ===") :]},
    ]
    return prompt, [*messages, {"role": "assistant", "content": policy(prompt + messages)}]


def auditor_reward(reward: str) -> Callable[..., list[float]]:
    """The reward function of completions: each is played again in its episode, whose last reward it earns."""
    envs = {
        level: gymnasium.make(f"ReproAudit-{level.title()}-v0", reward=reward) for level in ("easy", "medium", "hard")
    }

    def score(prompts: list, completions: list[list[Message]], *, level: list[str], seed: list[int], **_: object):
        earned = []
        for messages, one_level, one_seed in zip(completions, level, seed, strict=True):
            env = envs[one_level]
            env.reset(seed=one_seed)
            said = [one["content"] for one in messages if one["role"] == "assistant"]
            *_, last = (env.step(words) for words in said)
            earned.append(float(last[1]))
        return earned

    return score


class Guesser:
    """A policy with one number to learn: how often it reports an unpinned requirement rather than a missing seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.weight, self.choice = 0.5, True

    def __call__(self, messages: list[Message]) -> str:
        text = messages[1]["content"]
        files = re.findall(r"^=== (.+) ===$", text, re.MULTILINE)
        if len(messages) == 2:
            self.choice = self._chance.random() < self.weight
            return json.dumps(
                {"suspicious_files": files[:1], "suspected_categories": ["random_seeds"], "reasoning": ""}
            )
        kind, file = ("unpinned_requirement", "requirements.txt") if self.choice else ("random.seed missing", files[0])
        finding = {"violation_type": kind, "file_name": file, "line_number": 1, "suggested_fix_code": ""}
        return json.dumps({"violations": [finding], "reproducibility_score": 0.0, "explanation": ""})


def train(steps: int, group: int, reward: str) -> Iterator[tuple[int, float, float]]:
    """Groups of rollouts of one episode each; better than the group's mean makes a choice more likely."""
    score, policy = auditor_reward(reward), Guesser(0)
    env = gymnasium.make("ReproAudit-Easy-v0", reward=reward)
    for step in range(steps):
        prompts, completions, choices = [], [], []
        for _ in range(group):
            prompt, completion = rollout(env, step, policy)
            prompts.append(prompt)
            completions.append(completion)
            choices.append(policy.choice)
        rewards = score(prompts, completions, level=["easy"] * group, seed=[step] * group)
        mean = sum(rewards) / group
        gain = sum((r - mean) * (1 if choice else -1) for r, choice in zip(rewards, choices, strict=True))
        policy.weight = min(0.95, max(0.05, policy.weight + 0.1 * gain))
        yield step, mean, policy.weight


def main() -> None:
    """Run some steps and print what each earned."""
    parser = argparse.ArgumentParser(description="A trainer's loop around the reproducibility auditor.")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--group", type=int, default=4)
    parser.add_argument("--reward", choices=["executed", "classic"], default="classic")
    told = parser.parse_args()
    for step, mean, weight in train(told.steps, told.group, told.reward):
        print(f"step {step}: mean reward {mean:.3f}, weight {weight:.3f}")


if __name__ == "__main__":
    main()
