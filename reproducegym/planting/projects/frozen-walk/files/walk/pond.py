MAP = """
S...#
.O...
...O.
.O...
...OG
""".split()

MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class Pond:
    """States are cells row by row; O drowns, G ends with 1, # is a wall. The ice slips sideways."""

    def __init__(self, slip, limit, rng):
        self.slip, self.limit, self.rng = slip, limit, rng
        self.height, self.width = len(MAP), len(MAP[0])
        cells = {(r, c): MAP[r][c] for r in range(self.height) for c in range(self.width)}
        self.holes = {k for k, v in cells.items() if v == "O"}
        self.walls = {k for k, v in cells.items() if v == "#"}
        self.goal = next(k for k, v in cells.items() if v == "G")

    @property
    def states(self):
        return self.height * self.width

    def reset(self):
        self.at, self.steps = (0, 0), 0
        return self.number(self.at)

    def number(self, cell):
        return cell[0] * self.width + cell[1]

    def step(self, action):
        self.steps += 1
        if self.rng.random() < self.slip:
            action = (action + 2 * int(self.rng.integers(2)) - 1) % 4
        row = min(max(self.at[0] + MOVES[action][0], 0), self.height - 1)
        column = min(max(self.at[1] + MOVES[action][1], 0), self.width - 1)
        if (row, column) not in self.walls:
            self.at = (row, column)
        if self.at in self.holes:
            return self.number(self.at), -0.2, True
        if self.at == self.goal:
            return self.number(self.at), 1.0, True
        return self.number(self.at), 0.0, self.steps >= self.limit
