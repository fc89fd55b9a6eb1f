import numpy as np

from flash import DataModule


class Rings(DataModule):
    def __init__(self, count, batch_size):
        self.count, self.batch_size = count, batch_size

    def setup(self):
        side = np.random.randint(0, 2, self.count)
        radius = np.where(side, 1.6, 0.5) + np.random.normal(0, 0.25, self.count)
        angle = np.random.uniform(0, 2 * np.pi, self.count)
        self.x = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
        self.y = side
        order = np.random.permutation(self.count)
        cut = int(0.75 * self.count)
        self.train, self.val = order[:cut], order[cut:]

    def rows(self, batch):
        return self.x[batch], self.y[batch]
