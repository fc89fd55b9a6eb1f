import random

import numpy as np


class Surfer:
    def __init__(self, graph, damping, rng):
        self.graph, self.damping, self.rng = graph, damping, rng
        self.at = rng.randrange(len(graph))

    def click(self):
        links = self.graph.out[self.at]
        if links and self.rng.random() < self.damping:
            self.at = self.rng.choice(links)
        else:
            self.at = self.rng.randrange(len(self.graph))
        return self.at


def by_surfing(graph, surfers, clicks, damping, seed):
    visits = np.zeros(len(graph))
    for number in range(surfers):
        surfer = Surfer(graph, damping, random.Random(seed * 1000 + number))
        for _ in range(clicks):
            visits[surfer.click()] += 1
    return visits / visits.sum()


def by_power(graph, damping, tolerance=1e-12):
    n = len(graph)
    rank = np.full(n, 1 / n)
    while True:
        new = np.full(n, (1 - damping) / n)
        for page, links in enumerate(graph.out):
            if links:
                new[links] += damping * rank[page] / len(links)
            else:
                new += damping * rank[page] / n
        if np.abs(new - rank).sum() < tolerance:
            return new
        rank = new
