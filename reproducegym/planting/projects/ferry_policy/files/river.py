"""The river: docks in a row, a current that sometimes pushes back, and fuel that runs out."""


class River:
    def __init__(self, docks, rng):
        self.goal = docks["south"]
        self.count = len(docks)
        self.rng = rng
        self.at = 0

    def reset(self):
        self.at = 0
        return self.at

    def step(self, action):
        move = 1 if action == 1 else -1
        if self.rng.random() < 0.15:
            move = -move
        self.at = min(max(self.at + move, 0), self.count - 1)
        arrived = self.at == self.goal
        return self.at, 10.0 if arrived else -0.5, arrived
