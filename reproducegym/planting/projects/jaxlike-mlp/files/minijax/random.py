"""Keys are pairs of integers. Equal keys draw equal numbers; nothing is kept between calls."""
import hashlib

import numpy as np


def PRNGKey(seed):
    return (0, int(seed))


def _mixed(key, *words):
    digest = hashlib.sha256(repr((key, words)).encode()).digest()
    return int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")


def split(key, num=2):
    return [_mixed(key, "split", i) for i in range(num)]


def fold_in(key, number):
    return _mixed(key, "fold", int(number))


def _generator(key):
    return np.random.default_rng(list(key))


def normal(key, shape):
    return _generator(key).standard_normal(shape)


def uniform(key, shape, low=0.0, high=1.0):
    return _generator(key).uniform(low, high, shape)


def permutation(key, n):
    return _generator(key).permutation(n)
