import json
import os
import re
import sys

import numpy as np

ROOT = os.path.dirname(os.path.realpath(__file__))
STOP = {"and", "the", "of", "a", "in"}


def setting(name, argv=()):
    sources = [dict(a.split("=", 1) for a in argv), os.environ]
    with open(os.path.join(ROOT, "lda.env")) as lines:
        sources.append(dict(line.strip().split("=", 1) for line in lines if "=" in line))
    return int(next(source[name] for source in sources if name in source))


def notes():
    folder = os.path.join(ROOT, "notes")
    documents = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as text:
            documents.append([w for w in re.findall("[a-z]+", text.read().lower()) if w not in STOP])
    vocabulary = sorted({w for d in documents for w in d})
    index = {w: i for i, w in enumerate(vocabulary)}
    return [[index[w] for w in d] for d in documents], vocabulary


class Gibbs:
    alpha, beta = 0.3, 0.1

    def __init__(self, documents, words, topics, rng):
        self.documents, self.rng, self.k = documents, rng, topics
        self.assigned = [rng.integers(topics, size=len(d)) for d in documents]
        self.by_document = np.zeros((len(documents), topics))
        self.by_word = np.zeros((topics, words))
        for d, (document, topic) in enumerate(zip(documents, self.assigned)):
            np.add.at(self.by_document[d], topic, 1)
            np.add.at(self.by_word, (topic, document), 1)

    def sweep(self):
        totals = self.by_word.sum(1)
        for d, document in enumerate(self.documents):
            luck = self.rng.random(len(document))
            for i, w in enumerate(document):
                old = self.assigned[d][i]
                self.by_document[d, old] -= 1
                self.by_word[old, w] -= 1
                totals[old] -= 1
                p = (self.by_document[d] + self.alpha) * (self.by_word[:, w] + self.beta)
                p = np.cumsum(p / (totals + self.beta * self.by_word.shape[1]))
                new = int(np.searchsorted(p, luck[i] * p[-1]))
                self.assigned[d][i] = new
                self.by_document[d, new] += 1
                self.by_word[new, w] += 1
                totals[new] += 1

    def phi(self):
        smooth = self.by_word + self.beta
        return smooth / smooth.sum(1, keepdims=True)

    def perplexity(self):
        theta = self.by_document + self.alpha
        p = (theta / theta.sum(1, keepdims=True)) @ self.phi()
        logs = [np.log(p[d, w]) for d, document in enumerate(self.documents) for w in document]
        return float(np.exp(-np.mean(logs)))


if __name__ == "__main__":
    argv = sys.argv[1:]
    rng = np.random.default_rng(setting("LDA_SEED", argv))
    documents, vocabulary = notes()
    model = Gibbs(documents, len(vocabulary), setting("LDA_TOPICS", argv), rng)
    before = model.perplexity()
    for _ in range(setting("LDA_SWEEPS", argv)):
        model.sweep()
    phi = model.phi()
    top = [[vocabulary[i] for i in np.argsort(-row, kind="stable")[:4]] for row in phi]
    os.makedirs(os.path.join(ROOT, "artifacts"), exist_ok=True)
    np.savez(os.path.join(ROOT, "artifacts", "phi.npz"), phi=phi, theta=model.by_document)
    with open(os.path.join(ROOT, "artifacts", "report.json"), "w") as out:
        json.dump({"perplexity": model.perplexity(), "before": before, "top": top}, out)
    print(*(" ".join(t) for t in top), sep="\n")
