import numpy as np
import torch


def rings(points, rng):
    ring = rng.integers(0, 3, points)
    radius = 0.6 + 0.7 * ring + 0.13 * rng.standard_normal(points)
    angle = rng.uniform(-np.pi, np.pi, points)
    xy = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    return torch.tensor(xy, dtype=torch.float32), torch.tensor(ring)


def mixed(x, y, alpha, rng):
    """Convex mixtures of the batch with a shuffled self; alpha 0 leaves it alone."""
    onehot = torch.nn.functional.one_hot(y, 3).float()
    if alpha == 0:
        return x, onehot
    share = float(rng.beta(alpha, alpha))
    partner = torch.from_numpy(rng.permutation(len(x)))
    return share * x + (1 - share) * x[partner], share * onehot + (1 - share) * onehot[partner]
