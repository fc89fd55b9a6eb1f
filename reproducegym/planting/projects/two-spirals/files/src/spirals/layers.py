import numpy as np


class Dense:
    def __init__(self, inputs, outputs, rng):
        self.w = rng.standard_normal((inputs, outputs)) * np.sqrt(1.0 / inputs)
        self.b = np.zeros(outputs)

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, grad):
        self.dw = self.x.T @ grad
        self.db = grad.sum(0)
        return grad @ self.w.T

    def parameters(self):
        return [(self.w, self.dw), (self.b, self.db)]


class Tanh:
    def forward(self, x):
        self.y = np.tanh(x)
        return self.y

    def backward(self, grad):
        return grad * (1 - self.y**2)

    def parameters(self):
        return []


class Dropout:
    """Only active between `train()` and `eval()`."""

    def __init__(self, rate, rng):
        self.rate, self.rng, self.on = rate, rng, True

    def forward(self, x):
        self.mask = (self.rng.random(x.shape) >= self.rate) / (1 - self.rate) if self.on else 1.0
        return x * self.mask

    def backward(self, grad):
        return grad * self.mask

    def parameters(self):
        return []
