import random

import numpy as np


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    return seed
