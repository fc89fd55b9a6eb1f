"""Keys that are spent: each may be split or drawn from once."""
import numpy as np


class SpentKey(RuntimeError):
    pass


class Key:
    def __init__(self, sequence):
        self._sequence, self._spent = sequence, False

    @classmethod
    def of(cls, seed):
        return cls(np.random.SeedSequence(seed))

    def _spend(self):
        if self._spent:
            raise SpentKey("this key was used before; split it first")
        self._spent = True
        return self._sequence

    def split(self, count=2):
        return [Key(s) for s in self._spend().spawn(count)]

    def normal(self, *shape):
        return np.random.default_rng(self._spend()).standard_normal(shape)

    def poisson(self, rate):
        return np.random.default_rng(self._spend()).poisson(rate)


def scan(f, carry, xs):
    out = []
    for x in xs:
        carry, y = f(carry, x)
        out.append(y)
    return carry, np.array(out)
