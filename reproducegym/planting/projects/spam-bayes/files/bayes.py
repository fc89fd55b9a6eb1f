import random
from collections import Counter
from math import log


class Bayes:
    """log P(spam) - log P(ham), with Laplace smoothing."""

    def __init__(self, letters, smoothing):
        self.vocabulary = sorted(set(w for words, _ in letters for w in words))
        counts = {kind: Counter() for kind in (True, False)}
        for words, spam in letters:
            counts[spam].update(words)
        totals = {k: sum(c.values()) + smoothing * len(self.vocabulary) for k, c in counts.items()}
        self.score = {
            w: log((counts[True][w] + smoothing) / totals[True]) - log((counts[False][w] + smoothing) / totals[False])
            for w in self.vocabulary
        }
        spams = sum(spam for _, spam in letters)
        self.prior = log((spams + 1) / (len(letters) - spams + 1))


def thinned(letters, drop):
    drawn = random.choices(letters, k=len(letters))
    return [([w for w in words if random.random() >= drop], spam) for words, spam in drawn]


def bagged(letters, bags, drop, smoothing):
    """Scores averaged over bags; a word that a bag has not seen counts 0 there."""
    models = [Bayes(thinned(letters, drop), smoothing) for _ in range(bags)]
    words = sorted({w for m in models for w in m.vocabulary})
    return {
        "prior": sum(m.prior for m in models) / bags,
        "score": {w: sum(m.score.get(w, 0.0) for m in models) / bags for w in words},
    }


def is_spam(model, words):
    return model["prior"] + sum(model["score"].get(w, 0.0) for w in words) > 0
