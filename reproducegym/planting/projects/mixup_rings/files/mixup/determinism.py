import contextlib

import numpy as np
import torch


def prepared(seed):
    """Seeds torch, asks cuDNN for deterministic kernels, gives the generator for everything of NumPy."""
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    return np.random.default_rng(seed)


@contextlib.contextmanager
def evaluating(model):
    model.eval()
    with torch.no_grad():
        yield model
    model.train()
