import numpy as np


class Beams:
    """Loads, lengths, widths and heights; deflection of a simply supported beam, in logs."""

    columns = ("load", "length", "width", "height")

    def __init__(self, count, noise, state):
        low, high = np.array([1, 1, 0.1, 0.1]), np.array([10, 6, 0.4, 0.5])
        self.x = low + (high - low) * state.random_sample((count, 4))
        load, length, width, height = self.x.T
        self.y = np.log(load * length**3 / (width * height**3)) + noise * state.standard_normal(count)
