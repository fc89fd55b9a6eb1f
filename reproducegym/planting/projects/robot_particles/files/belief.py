import numpy as np

from world import heard, moved


class Belief:
    def __init__(self, count, stream):
        self.stream = stream
        self.poses = stream.uniform([0, 0, -np.pi], [10, 10, np.pi], (count, 3))
        self.logw = np.zeros(count)

    @property
    def weights(self):
        w = np.exp(self.logw - self.logw.max())
        return w / w.sum()

    def mean(self):
        return self.weights @ self.poses[:, :2]

    def update(self, turn, ranges):
        self.poses = moved(self.poses, turn, self.stream)
        self.logw = self.logw - 0.5 * (((heard(self.poses) - ranges) / 0.6) ** 2).sum(1)
        if 1 / (self.weights**2).sum() < len(self.logw) / 2:
            self.resample()

    def resample(self):
        n = len(self.logw)
        comb = (self.stream.uniform() + np.arange(n)) / n
        picked = np.searchsorted(np.cumsum(self.weights), comb).clip(max=n - 1)
        self.poses, self.logw = self.poses[picked], np.zeros(n)
