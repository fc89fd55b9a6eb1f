import numpy as np

REGISTRY = {}


def policy(cls):
    REGISTRY[cls.__name__.lower()] = cls
    return cls


class Averages:
    def __init__(self, arms, rng):
        self.rng = rng
        self.count = np.zeros(arms)
        self.value = np.zeros(arms)

    def learn(self, arm, reward):
        self.count[arm] += 1
        self.value[arm] += (reward - self.value[arm]) / self.count[arm]


@policy
class Greedy(Averages):
    epsilon = 0.1

    def choose(self, t):
        if self.rng.random() < self.epsilon:
            return int(self.rng.integers(len(self.value)))
        return int(self.rng.choice(np.flatnonzero(self.value == self.value.max())))


@policy
class UCB1(Averages):
    def choose(self, t):
        if t < len(self.value):
            return t
        return int(np.argmax(self.value + np.sqrt(2 * np.log(t) / self.count)))


@policy
class Thompson(Averages):
    def choose(self, t):
        wins = self.count * self.value
        return int(np.argmax(self.rng.beta(1 + wins, 1 + self.count - wins)))


@policy
class Softmax(Averages):
    temperature = 0.1

    def choose(self, t):
        p = np.exp((self.value - self.value.max()) / self.temperature)
        return int(self.rng.choice(len(p), p=p / p.sum()))
