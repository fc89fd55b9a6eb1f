"""h' = tanh(x W + h U + b), letters by softmax."""
import numpy as np


class RNN:
    """
    >>> RNN(5, 3, np.random.default_rng(0)).parameters["U"].shape
    (3, 3)
    """

    def __init__(self, letters, hidden, rng):
        scale = 1 / np.sqrt(hidden)
        self.parameters = {
            "W": rng.normal(0, 0.1, (letters, hidden)),
            "U": rng.normal(0, scale, (hidden, hidden)),
            "b": np.zeros(hidden),
            "V": rng.normal(0, 0.1, (hidden, letters)),
            "c": np.zeros(letters),
        }
        self.cache = {k: np.full_like(v, 1e-6) for k, v in self.parameters.items()}

    def loss(self, text, target, h):
        """Mean cross entropy in nats, gradients, last state."""
        p = self.parameters
        states, probabilities, loss = [h], [], 0.0
        for x, y in zip(text, target):
            h = np.tanh(p["W"][x] + h @ p["U"] + p["b"])
            z = h @ p["V"] + p["c"]
            q = np.exp(z - z.max())
            q /= q.sum()
            loss -= np.log(q[y])
            states.append(h)
            probabilities.append(q)
        grads = {k: np.zeros_like(v) for k, v in p.items()}
        back = np.zeros_like(h)
        for t in range(len(text) - 1, -1, -1):
            dz = probabilities[t].copy()
            dz[target[t]] -= 1
            grads["V"] += np.outer(states[t + 1], dz)
            grads["c"] += dz
            da = (p["V"] @ dz + back) * (1 - states[t + 1] ** 2)
            grads["W"][text[t]] += da
            grads["U"] += np.outer(states[t], da)
            grads["b"] += da
            back = p["U"] @ da
        return loss / len(text), grads, h

    def update(self, grads, rate):
        for name, g in grads.items():
            g = np.clip(g, -5, 5)
            self.cache[name] += g * g
            self.parameters[name] -= rate * g / np.sqrt(self.cache[name])

    def sample(self, first, count, rng):
        h, out = np.zeros(len(self.parameters["b"])), [first]
        for _ in range(count):
            h = np.tanh(self.parameters["W"][out[-1]] + h @ self.parameters["U"] + self.parameters["b"])
            z = h @ self.parameters["V"] + self.parameters["c"]
            q = np.exp(z - z.max())
            out.append(int(rng.choice(len(q), p=q / q.sum())))
        return out
