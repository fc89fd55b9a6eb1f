"""A table of values, learned by one-step updates."""

import numpy as np


class Learner:
    def __init__(self, states, settings, rng):
        self.table = rng.normal(0.0, 0.01, (states, 2))
        self.settings = settings
        self.rng = rng

    def choose(self, state):
        if self.rng.random() < self.settings["epsilon"]:
            return int(self.rng.integers(2))
        return int(np.argmax(self.table[state]))

    def episode(self, river):
        state, total = river.reset(), 0.0
        for _ in range(self.settings["steps"]):
            action = self.choose(state)
            after, reward, done = river.step(action)
            best = 0.0 if done else self.table[after].max()
            aim = reward + self.settings["discount"] * best
            self.table[state, action] += self.settings["rate"] * (aim - self.table[state, action])
            state, total = after, total + reward
            if done:
                break
        return total
