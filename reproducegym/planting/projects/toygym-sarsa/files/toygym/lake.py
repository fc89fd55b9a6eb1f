import random

from toygym.spaces import Discrete


class Lake:
    """A square; the goal is in the last corner, two cells drown. Episodes start in a random cell of the first row."""

    def __init__(self, size, slip):
        self.size, self.slip = size, slip
        self.drown = {(1, 1), (2, size - 1)}
        self.observation_space, self.action_space = Discrete(size * size), Discrete(4)
        self.np_random = random.Random(0)

    def reset(self, *, seed=None):
        if seed is not None:
            self.np_random.seed(seed)
        self.row, self.column, self.steps = 0, self.np_random.randrange(self.size), 0
        return self.row * self.size + self.column, {}

    def step(self, action):
        if self.np_random.random() < self.slip:
            action = self.np_random.randrange(4)
        dr, dc = [(0, 1), (1, 0), (0, -1), (-1, 0)][action]
        self.row = min(max(self.row + dr, 0), self.size - 1)
        self.column = min(max(self.column + dc, 0), self.size - 1)
        self.steps += 1
        at = self.row, self.column
        goal = at == (self.size - 1, self.size - 1)
        reward = 1.0 if goal else -0.3 if at in self.drown else -0.01
        return self.row * self.size + self.column, reward, goal or at in self.drown, self.steps >= 40, {}
