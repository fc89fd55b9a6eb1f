import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, length, code, drop):
        super().__init__()
        self.drop = nn.Dropout(drop)
        self.encoder = nn.Sequential(nn.Linear(length, 48), nn.Tanh(), nn.Linear(48, code))
        self.decoder = nn.Sequential(nn.Linear(code, 48), nn.Tanh(), nn.Linear(48, length))

    def forward(self, x):
        return self.decoder(self.encoder(self.drop(x)))


def decibels(clean, noisy, cleaned):
    """How much less noise: 10 log10 of the ratio of squared errors."""
    return float(10 * torch.log10(((noisy - clean) ** 2).mean() / ((cleaned - clean) ** 2).mean()))
