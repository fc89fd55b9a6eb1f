import numpy as np


def mackey_glass(count, rng, tau=17, noise=0.003):
    x = list(1.2 + 0.1 * rng.standard_normal(tau + 1))
    for _ in range(count + 100):
        x.append(x[-1] + 0.2 * x[-tau - 1] / (1 + x[-tau - 1] ** 10) - 0.1 * x[-1])
    series = np.array(x[-count:])
    return series + noise * rng.standard_normal(count)
