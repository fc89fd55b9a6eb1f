import numpy as np


class Learner:
    def __init__(self, states, rng, rate, discount):
        self.q = rng.uniform(0.2, 0.3, size=(states, 4))
        self.rng, self.rate, self.discount = rng, rate, discount

    def act(self, state, explore):
        if self.rng.random() < explore:
            return int(self.rng.integers(4))
        return int(np.argmax(self.q[state]))

    def learn(self, state, action, reward, after, done):
        target = reward + (0 if done else self.discount * self.q[after].max())
        self.q[state, action] += self.rate * (target - self.q[state, action])
