import random

from genes.operators import crossover, invert, tournament
from genes.towns import length


def first(d, size, seed):
    rng = random.Random(seed)
    tours = [rng.sample(range(len(d)), len(d)) for _ in range(size)]
    return [(length(t, d), t) for t in tours]


def evolve(job):
    """One epoch on one island: (distances, population, generations, seed) -> (population, distinct)."""
    d, population, generations, seed = job
    rng = random.Random(seed)
    for _ in range(generations):
        children = sorted(population)[:4]
        while len(children) < len(population):
            child = crossover(tournament(population, rng), tournament(population, rng), rng)
            if rng.random() < 0.6:
                child = invert(child, rng)
            children.append((length(child, d), child))
        population = children
    return sorted(population), len({tuple(t) for _, t in population})
