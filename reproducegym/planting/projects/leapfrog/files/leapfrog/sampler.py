import numpy as np


def integrate(target, z, p, step, count):
    _, grad = target(z)
    for _ in range(count):
        p = p + 0.5 * step * grad
        z = z + step * p
        _, grad = target(z)
        p = p + 0.5 * step * grad
    return z, p


def chain(target, start, rng, step=0.2, count=10):
    """Yields (position, accepted) for ever."""
    z, lp = start, target(start)[0]
    while True:
        p = rng.standard_normal(len(z))
        jittered = step * rng.uniform(0.7, 1.3)
        znew, pnew = integrate(target, z, p, jittered, count)
        lpnew = target(znew)[0]
        accepted = np.log(rng.random()) < lpnew - lp + 0.5 * (p @ p - pnew @ pnew)
        if accepted:
            z, lp = znew, lpnew
        yield z, bool(accepted)
