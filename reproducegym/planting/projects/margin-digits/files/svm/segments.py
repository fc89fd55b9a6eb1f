"""Digits of a pocket calculator: seven segments, each broken now and then, plus a drifting brightness."""
import numpy as np

LIT = {
    0: "abcdef", 1: "bc", 2: "abdeg", 3: "abcdg", 4: "bcfg",
    5: "acdfg", 6: "acdefg", 7: "abc", 8: "abcdefg", 9: "abcdfg",
}
SEGMENTS = sorted(set("".join(LIT.values())))
PROTOTYPES = np.array([[s in LIT[d] for s in SEGMENTS] for d in range(10)], dtype=float)


def digits(n, noise, state):
    label = state.randint(0, 10, n)
    flips = state.rand(n, len(SEGMENTS)) < noise
    lit = np.where(flips, 1 - PROTOTYPES[label], PROTOTYPES[label])
    brightness = 1 + 0.15 * state.randn(n, 1)
    return expand(lit * brightness + 0.1 * state.randn(*lit.shape)), label


def expand(x):
    """Segments, their pairwise products and a constant."""
    i, j = np.triu_indices(x.shape[1], k=1)
    return np.hstack([x, x[:, i] * x[:, j], np.ones((len(x), 1))])
