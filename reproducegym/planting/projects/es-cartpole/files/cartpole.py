"""The usual cart and pole, Euler steps of 20 ms, episodes of at most 200 steps."""
import math


class CartPole:
    def __init__(self, random_state):
        self.random = random_state

    def reset(self):
        self.state = tuple(self.random.uniform(-0.05, 0.05, size=4))
        self.t = 0
        return self.state

    def step(self, right):
        x, v, angle, spin = self.state
        force = 10.0 if right else -10.0
        cos, sin = math.cos(angle), math.sin(angle)
        push = (force + 0.05 * spin**2 * sin) / 1.1
        turn = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
        accel = push - 0.05 * turn * cos / 1.1
        self.state = x + 0.02 * v, v + 0.02 * accel, angle + 0.02 * spin, spin + 0.02 * turn
        self.t += 1
        fallen = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2095
        return self.state, fallen or self.t >= 200
