import csv
import os
from random import Random


class Ratings:
    """All ratings, with users and movies numbered in alphabetical order."""

    def __init__(self, folder):
        self.rows = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name)) as f:
                self.rows += [(u, m, float(s)) for u, m, s in csv.reader(f)]
        users = sorted({u for u, _, _ in self.rows})
        movies = sorted({m for _, m, _ in self.rows})
        self.user_id = {u: i for i, u in enumerate(users)}
        self.movie_id = {m: i for i, m in enumerate(movies)}

    def triples(self):
        return [(self.user_id[u], self.movie_id[m], s) for u, m, s in self.rows]

    def hold_out(self, every, seed):
        """Shuffles once and puts every n-th rating aside."""
        triples = self.triples()
        Random(seed).shuffle(triples)
        test = triples[::every]
        train = [t for i, t in enumerate(triples) if i % every]
        missing = {m for _, m, _ in test} - {m for _, m, _ in train}
        return train, [t for t in test if t[1] not in missing]
