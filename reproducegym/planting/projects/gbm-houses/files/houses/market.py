from dataclasses import dataclass, field

import numpy as np


@dataclass
class Market:
    """Simulated sales: area, rooms, age, distance to the centre, floor; price in thousands."""

    rng: np.random.Generator
    noise: float = 18.0
    names: tuple = field(default=("area", "rooms", "age", "distance", "floor"))

    def sales(self, count):
        area = self.rng.gamma(9, 10, count)
        rooms = np.round(area / 28 + self.rng.normal(0, 0.6, count)).clip(1)
        age = self.rng.integers(0, 110, count)
        distance = self.rng.exponential(5, count)
        floor = self.rng.integers(0, 6, count)
        price = 2.9 * area + 8 * rooms - 0.4 * age - 60 * np.log1p(distance / 4) + 4 * floor
        price += 25 * (age > 90) + self.rng.normal(0, self.noise, count)
        return np.column_stack([area, rooms, age, distance, floor]), 120 + price
