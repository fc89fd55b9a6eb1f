from collections import defaultdict

from features import features


class Perceptron:
    """Averaged weights by lazy totals."""

    def __init__(self, tags):
        self.tags = sorted(tags)
        self.weights = defaultdict(lambda: defaultdict(float))
        self._totals, self._stamps, self._clock = defaultdict(float), defaultdict(int), 0

    def best(self, feats):
        scores = dict.fromkeys(self.tags, 0.0)
        for f in feats:
            if f in self.weights:
                for tag, w in self.weights[f].items():
                    scores[tag] += w
        return max(self.tags, key=lambda t: (scores[t], t))

    def tag(self, words):
        previous, before, out = "START", "START", []
        for i in range(len(words)):
            before, previous = previous, self.best(list(features(i, words, previous, before)))
            out.append(previous)
        return out

    def learn(self, words, truth):
        previous, before, right = "START", "START", 0
        for i, gold in enumerate(truth):
            self._clock += 1
            feats = list(features(i, words, previous, before))
            guess = self.best(feats)
            right += guess == gold
            if guess != gold:
                for f in feats:
                    self._add(f, gold, 1.0)
                    self._add(f, guess, -1.0)
            before, previous = previous, guess
        return right

    def _add(self, f, tag, change):
        key = f, tag
        self._totals[key] += (self._clock - self._stamps[key]) * self.weights[f][tag]
        self._stamps[key] = self._clock
        self.weights[f][tag] += change

    def average(self):
        for f, row in self.weights.items():
            for tag in row:
                total = self._totals[f, tag] + (self._clock - self._stamps[f, tag]) * row[tag]
                row[tag] = round(total / self._clock, 6)
