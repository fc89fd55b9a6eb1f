import numpy as np


def expected(t, initial, half_life):
    return initial * 0.5 ** (t / half_life)


def deviance(t, counts, initial, half_life):
    mu = expected(t, initial, half_life)
    return float(2 * np.sum(mu - counts * np.log(mu)))


def climb(t, counts, start, rng, rounds=80):
    """Random downhill steps from a start; (parameters, deviance)."""
    point, value = np.array(start, float), deviance(t, counts, *start)
    for _ in range(rounds):
        other = np.abs(point * np.exp(0.05 * rng.standard_normal(2)))
        if (v := deviance(t, counts, *other)) < value:
            point, value = other, v
    return point, value
