import numpy as np


class Pegasos:
    def __init__(self, classes, width, lam, state):
        self.w = 1e-3 * state.randn(classes, width)
        self.mean = np.zeros_like(self.w)
        self.lam, self.state = lam, state

    def fit(self, x, label, steps, batch=8):
        for t in range(1, steps + 1):
            pick = self.state.randint(0, len(x), batch)
            sign = np.where(np.arange(len(self.w)) == label[pick][:, None], 1.0, -1.0)
            wrong = sign * (x[pick] @ self.w.T) < 1
            self.w *= 1 - 1 / (t + 1)
            self.w += (sign * wrong).T @ x[pick] / (self.lam * (t + 50) * batch)
            if t > steps // 2:
                self.mean += self.w
        self.mean /= steps - steps // 2
        return self

    def predict(self, x):
        return (x @ self.mean.T).argmax(1)
