import random

import numpy as np
import torch


def seed_everything(seed):
    """Every generator that this project draws from, and kernels that add in one order."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.use_deterministic_algorithms(True)
    torch.backends.cudnn.benchmark = False
