from dataclasses import dataclass

import numpy as np

from anneal.glass import energy


@dataclass(frozen=True)
class Job:
    number: int
    couplings: np.ndarray
    sweeps: int
    hot: float
    seed: np.random.SeedSequence


def cool(job):
    """(number, energy per spin, spins); runs in a worker."""
    rng = np.random.default_rng(job.seed)
    n = len(job.couplings)
    spins = rng.choice([-1.0, 1.0], n)
    for sweep in range(job.sweeps):
        temperature = job.hot * (1 - sweep / job.sweeps) + 1e-3
        luck = rng.random(n)
        for i in rng.permutation(n):
            gain = 2 * spins[i] * (job.couplings[i] @ spins)
            if gain < 0 or luck[i] < np.exp(-gain / temperature):
                spins[i] = -spins[i]
    return job.number, energy(spins, job.couplings) / n, spins
