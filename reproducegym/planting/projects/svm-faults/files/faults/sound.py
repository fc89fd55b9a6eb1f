import numpy as np

KINDS = ["bearing", "fine", "imbalance"]
LOUD = {"bearing", "imbalance"}


def spectra(pumps, state):
    """Noisy magnitude spectra (pumps, 32) and their kinds."""
    kinds = [KINDS[k] for k in state.randint(0, len(KINDS), pumps)]
    band = np.arange(32)
    rows = []
    for kind in kinds:
        base = np.exp(-band / 9) + 0.25 * state.rand(32)
        if kind == "bearing":
            base += 0.9 * np.exp(-((band - state.normal(20, 2)) ** 2) / 6)
        if kind == "imbalance":
            base += 0.8 * np.exp(-((band - state.normal(5, 1)) ** 2) / 2)
        if kind in LOUD:
            base *= 1.05
        rows.append(base + 0.2 * state.standard_normal(32))
    return np.array(rows), np.array(kinds)
