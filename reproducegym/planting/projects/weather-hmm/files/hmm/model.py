from dataclasses import dataclass

import numpy as np


def rows(rng, n, m):
    return rng.dirichlet(np.full(m, 2.0), size=n)


@dataclass
class HMM:
    start: np.ndarray
    move: np.ndarray
    emit: np.ndarray

    @classmethod
    def random(cls, states, words, rng):
        return cls(rows(rng, 1, states)[0], rows(rng, states, states), rows(rng, states, words))

    def forward_backward(self, seq):
        t, k = len(seq), len(self.start)
        alpha, beta, scale = np.empty((t, k)), np.ones((t, k)), np.empty(t)
        a = self.start * self.emit[:, seq[0]]
        for i, word in enumerate(seq):
            if i:
                a = (alpha[i - 1] @ self.move) * self.emit[:, word]
            scale[i] = a.sum()
            alpha[i] = a / scale[i]
        for i in range(t - 2, -1, -1):
            beta[i] = self.move @ (self.emit[:, seq[i + 1]] * beta[i + 1]) / scale[i + 1]
        return alpha, beta, scale

    def update(self, sequences):
        """One EM step; returns the log-likelihood before it."""
        start, move, emit = np.zeros_like(self.start), np.zeros_like(self.move), np.full_like(self.emit, 1e-3)
        loglik = 0.0
        for seq in sequences:
            alpha, beta, scale = self.forward_backward(seq)
            gamma = alpha * beta
            start += gamma[0]
            for i in range(len(seq) - 1):
                move += self.move * np.outer(alpha[i], self.emit[:, seq[i + 1]] * beta[i + 1]) / scale[i + 1]
            np.add.at(emit.T, seq, gamma)
            loglik += np.log(scale).sum()
        self.start = start / start.sum()
        self.move = move / move.sum(1, keepdims=True)
        self.emit = emit / emit.sum(1, keepdims=True)
        return float(loglik)
