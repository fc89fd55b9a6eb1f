import os

import numpy as np


def stacked(folder):
    names = sorted(filter(lambda name: name.endswith(".tsv"), os.listdir(folder)))
    return np.vstack([np.loadtxt(os.path.join(folder, n)) for n in names])


def parted(table, gen, every=4):
    mixed = gen.permutation(table)
    held = np.arange(len(mixed)) % every == 0
    return mixed[~held], mixed[held]
