import numpy as np

from flash import Module


class Classifier(Module):
    def __init__(self, width, lr):
        self.lr = lr
        self.w = np.random.normal(0, 1.0, (2, width))
        self.b = np.random.normal(0, 0.5, width)
        self.v = np.random.normal(0, 0.1, width)
        self.c = 0.0

    def forward(self, x):
        self.h = np.maximum(x @ self.w + self.b, 0)
        return 1 / (1 + np.exp(-(self.h @ self.v + self.c)))

    def training_step(self, batch):
        x, y = batch
        p = self.forward(x)
        back = (p - y) / len(y)
        hidden = np.outer(back, self.v) * (self.h > 0)
        self.v = self.v - self.lr * self.h.T @ back
        self.c -= self.lr * back.sum()
        self.w = self.w - self.lr * x.T @ hidden
        self.b = self.b - self.lr * hidden.sum(0)
        return float(-np.mean(np.log(np.where(y == 1, p, 1 - p) + 1e-9)))

    def validation_step(self, batch):
        x, y = batch
        return float(((self.forward(x) > 0.5) == y).mean())

    def state_dict(self):
        return {"w": self.w, "b": self.b, "v": self.v, "c": np.array(self.c)}
