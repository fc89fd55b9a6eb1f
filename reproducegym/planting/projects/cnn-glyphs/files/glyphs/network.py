import torch
from torch import nn


class Network(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 5, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(channels, channels, 3), nn.ReLU(),
        )
        self.head = nn.Linear(channels, 3)

    def forward(self, x):
        return self.head(self.features(x).amax(dim=(2, 3)))


@torch.no_grad()
def accuracy(model, batches):
    model.eval()
    right = total = 0
    for images, kinds in batches:
        right += int((model(images).argmax(1) == kinds).sum())
        total += len(kinds)
    model.train()
    return right / total
