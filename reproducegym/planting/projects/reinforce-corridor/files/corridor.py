import numpy as np


class Corridor:
    """Six places in a row; wind pushes back now and then. 1 at the right end, -0.04 a step, at most 40 steps."""

    length = 6

    def __init__(self, rng, wind=0.2):
        self.rng, self.wind = rng, wind

    def reset(self):
        self.place, self.steps = int(self.rng.integers(0, 3)), 0
        return self.seen()

    def seen(self):
        view = np.zeros(self.length, dtype=np.float32)
        view[self.place] = 1.0
        return view

    def step(self, action):
        move = 1 if action == 1 else -1
        if self.rng.random() < self.wind:
            move = -1
        self.place = max(0, self.place + move)
        self.steps += 1
        if self.place == self.length - 1:
            return self.seen(), 1.0, True
        return self.seen(), -0.04, self.steps >= 40
