import random

import numpy as np


def readings(seed, people=30, books=24):
    """(person, book) pairs; people and books belong to one of three tastes."""
    luck = random.Random(seed)
    taste = [luck.randrange(3) for _ in range(people)]
    pairs = []
    for person in range(people):
        likes = [b for b in range(books) if b % 3 == taste[person]]
        other = [b for b in range(books) if b % 3 != taste[person]]
        pairs += [(person, b) for b in luck.sample(likes, 6) + luck.sample(other, 1)]
    luck.shuffle(pairs)
    return np.array(pairs)
