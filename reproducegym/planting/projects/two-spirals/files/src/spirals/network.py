import numpy as np

from .layers import Dense, Dropout, Tanh

FROZEN = {"embedding", "lookup"}


class Network:
    def __init__(self, hidden, rng, dropout=0.02):
        self.layers = {
            "in": Dense(2, hidden, rng),
            "act1": Tanh(),
            "drop": Dropout(dropout, rng),
            "mid": Dense(hidden, hidden, rng),
            "act2": Tanh(),
            "out": Dense(hidden, 1, rng),
        }
        self.moments = {}

    def train(self, on=True):
        self.layers["drop"].on = on

    def logits(self, x):
        for layer in self.layers.values():
            x = layer.forward(x)
        return x[:, 0]

    def predict(self, x):
        self.train(False)
        answer = self.logits(x) > 0
        self.train(True)
        return answer

    def step(self, x, y, rate, t):
        p = 1 / (1 + np.exp(-self.logits(x)))
        grad = ((p - y) / len(y))[:, None]
        for layer in reversed(list(self.layers.values())):
            grad = layer.backward(grad)
        for name, layer in self.layers.items():
            if name in FROZEN:
                continue
            for k, (value, g) in enumerate(layer.parameters()):
                m, v = self.moments.get((name, k), (0.0, 0.0))
                m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
                self.moments[name, k] = m, v
                value -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)

    def state(self):
        return {f"{n}.{p}": getattr(x, p) for n, x in self.layers.items() if isinstance(x, Dense) for p in "wb"}
