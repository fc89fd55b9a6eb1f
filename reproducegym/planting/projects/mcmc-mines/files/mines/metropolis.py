import numpy as np

STEP = np.array([0.12, 0.12, 2.5])


def chain(model, draws, rng, warmup=300):
    z = model.start(rng)
    lp = model.log_density(z)
    kept, accepted = np.empty((draws, 3)), 0
    for t in range(-warmup, draws):
        proposal = z + STEP * rng.standard_normal(3)
        lp_new = model.log_density(proposal)
        if np.log(rng.random()) < lp_new - lp:
            z, lp = proposal, lp_new
            accepted += t >= 0
        if t >= 0:
            kept[t] = z
    return kept, accepted / draws


def r_hat(x):
    """Of (chains, draws): between over within."""
    n = x.shape[1]
    within = x.var(axis=1, ddof=1).mean()
    between = n * x.mean(axis=1).var(ddof=1)
    return float(np.sqrt(((n - 1) / n * within + between / n) / within))
