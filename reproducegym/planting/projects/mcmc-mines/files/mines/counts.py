from glob import glob
from os import path

import numpy as np

FOLDER = path.join(path.dirname(path.dirname(path.abspath(__file__))), "counts")


def load(folder=FOLDER):
    """Years and the counts of all counties added up."""
    total = {}
    for name in sorted(glob(path.join(folder, "*.txt"))):
        for line in open(name):
            year, accidents = line.split()
            total[int(year)] = total.get(int(year), 0) + int(accidents)
    years = np.array(sorted(total))
    return years, np.array([total[y] for y in years])
