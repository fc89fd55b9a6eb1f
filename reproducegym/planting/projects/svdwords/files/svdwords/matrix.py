import numpy as np


def cooccurrence(lines, index, window):
    m = np.zeros((len(index), len(index)))
    for line in lines:
        for i, w in enumerate(line):
            for v in line[max(0, i - window) : i]:
                m[index[w], index[v]] += 1
                m[index[v], index[w]] += 1
    return m


def ppmi(m):
    row, total = m.sum(1, keepdims=True), m.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(m * total / (row * row.T))
    return np.where(np.isfinite(pmi) & (pmi > 0), pmi, 0.0)


def randomised_svd(a, dim, rng, extra=4, power=2):
    q = np.linalg.qr(a @ rng.standard_normal((a.shape[1], dim + extra)))[0]
    for _ in range(power):
        q = np.linalg.qr(a @ (a.T @ q))[0]
    u, s, _ = np.linalg.svd(q.T @ a, full_matrices=False)
    return (q @ u)[:, :dim] * np.sqrt(s[:dim])
