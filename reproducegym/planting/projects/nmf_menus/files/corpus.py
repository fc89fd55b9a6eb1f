import csv
import random


def menus(path):
    with open(path, newline="") as handle:
        return [row[1] for row in csv.reader(handle)]


def thinned(lines, drop, seed):
    """Each word is dropped with some probability, as waiters do."""
    luck = random.Random(seed)
    return [" ".join(w for w in line.split() if luck.random() >= drop) for line in lines]
