import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, places):
        super().__init__()
        self.hidden = nn.Linear(places, 16)
        self.logits = nn.Linear(16, 2)

    def forward(self, seen):
        return Categorical(logits=self.logits(torch.tanh(self.hidden(seen))))
