import math

import torch
from torch import nn


class Sorter(nn.Module):
    """Learned queries for the places, one round of attention over the digits, a small head."""

    def __init__(self, length, dim=24):
        super().__init__()
        self.digit = nn.Embedding(10, dim)
        self.place = nn.Parameter(torch.randn(length, dim) / math.sqrt(dim))
        self.key, self.value = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.context = nn.Linear(dim, dim)
        self.head = nn.Sequential(nn.Linear(2 * dim, 48), nn.ReLU(), nn.Linear(48, 10))

    def forward(self, digits):
        e = self.digit(digits)
        summary = self.context(e.mean(dim=1, keepdim=True))
        query = self.place[None] + summary
        weights = torch.softmax(query @ self.key(e).transpose(1, 2) / math.sqrt(e.shape[-1]), dim=-1)
        return self.head(torch.cat([weights @ self.value(e), query.expand_as(weights @ self.value(e))], dim=-1))
