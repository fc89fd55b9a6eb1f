import torch


class Adding:
    """Batches of (batch, length, 2) with exactly two marks, and the sums."""

    def __init__(self, length, seed):
        self.length = length
        self.generator = torch.Generator()
        self.generator.manual_seed(seed)

    def batch(self, size):
        numbers = torch.rand(size, self.length, generator=self.generator)
        keys = torch.rand(size, self.length, generator=self.generator)
        marks = torch.zeros_like(numbers).scatter(1, keys.topk(2, dim=1).indices, 1.0)
        return torch.stack([numbers, marks], dim=-1), (numbers * marks).sum(1)
