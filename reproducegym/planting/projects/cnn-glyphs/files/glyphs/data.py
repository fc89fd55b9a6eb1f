import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from glyphs.drawing import KINDS, draw


class Glyphs(Dataset):
    """Item i is drawn from a generator of its own; `jitter` changes its brightness."""

    def __init__(self, count, seed, jitter):
        self.count, self.seed, self.jitter = count, seed, jitter

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        rng = np.random.default_rng([self.seed, i])
        kind = int(rng.integers(len(KINDS)))
        image = torch.from_numpy(draw(KINDS[kind], rng))
        if self.jitter:
            image = image * float(torch.empty(()).uniform_(0.9, 1.1, generator=self.noise(i)))
        return image[None], kind

    def noise(self, i):
        return torch.Generator().manual_seed(self.seed * 7919 + i)


def loader(dataset, batch, shuffle, workers, seed):
    return DataLoader(
        dataset, batch_size=batch, shuffle=shuffle, num_workers=workers,
        generator=torch.Generator().manual_seed(seed),
    )
