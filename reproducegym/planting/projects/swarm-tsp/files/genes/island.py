import random

from genes.operators import crossover, invert, tournament
from genes.towns import length


def first(d, size, seed):
    rng = random.Random(seed)
    tours = [rng.sample(range(len(d)), len(d)) for _ in range(size)]
    return [(length(t, d), t) for t in tours]


def begin(seed):
    """The first thing that the process of an island does."""
    random.seed(seed)


def evolve(d, population, generations):
    """One epoch on one island, by the generator of its process: the population, and how many tours are distinct."""
    for _ in range(generations):
        children = sorted(population)[:4]
        while len(children) < len(population):
            child = crossover(tournament(population, random), tournament(population, random), random)
            if random.random() < 0.6:
                child = invert(child, random)
            children.append((length(child, d), child))
        population = children
    return sorted(population), len({tuple(t) for _, t in population})
