def crossover(a, b, rng):
    """Order crossover: a slice of one parent, the rest in the order of the other."""
    i, j = sorted(rng.sample(range(len(a) + 1), 2))
    middle = a[i:j]
    taken = set(middle)
    rest = [t for t in b if t not in taken]
    return rest[:i] + middle + rest[i:]


def invert(tour, rng):
    i, j = sorted(rng.sample(range(len(tour) + 1), 2))
    return tour[:i] + tour[i:j][::-1] + tour[j:]


def tournament(population, rng, size=3):
    return min(rng.sample(population, size))[1]
