import torch
from torch.utils.data import DataLoader, IterableDataset


class Digits(IterableDataset):
    def __init__(self, batches, size, length, seed):
        self.batches, self.size, self.length, self.seed = batches, size, length, seed

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed)
        for _ in range(self.batches):
            digits = torch.randint(0, 10, (self.size, self.length), generator=generator)
            yield digits, torch.sort(digits, dim=1, stable=True).values


def stream(batches, size, length, seed):
    return DataLoader(Digits(batches, size, length, seed), batch_size=None, num_workers=0)
