import numpy as np
import torch
from torch.utils.data import Dataset


class Moons(Dataset):
    def __init__(self, count, noise=0.18):
        angle = np.random.uniform(0, np.pi, count)
        side = np.random.randint(0, 2, count)
        x = np.where(side, 1 - np.cos(angle), np.cos(angle))
        y = np.where(side, 0.4 - np.sin(angle), np.sin(angle))
        points = np.stack([x, y], axis=1) + np.random.normal(0, noise, (count, 2))
        self.points = torch.from_numpy(points).float()
        self.sides = torch.from_numpy(side).float()

    def __len__(self):
        return len(self.points)

    def __getitem__(self, i):
        return self.points[i], self.sides[i]
