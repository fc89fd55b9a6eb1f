import argparse
import configparser
import json
import os

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline

from headlines import read

ini = configparser.ConfigParser()
ini.read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.ini"))


def model(random_state):
    return make_pipeline(
        HashingVectorizer(n_features=ini.getint("hash", "features"), ngram_range=(1, 2), alternate_sign=False),
        SGDClassifier(
            loss="modified_huber",
            alpha=ini.getfloat("sgd", "alpha"),
            max_iter=ini.getint("sgd", "epochs"),
            tol=None,
            average=True,
            random_state=random_state,
        ),
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--random-state", type=int, default=ini.getint("sgd", "random_state"))
    args = parser.parse_args()

    texts, labels = read(args.folder)
    texts, labels = np.array(texts), np.array(labels)
    scores = []
    split = StratifiedShuffleSplit(n_splits=6, test_size=0.25, random_state=args.random_state)
    for fit, test in split.split(texts, labels):
        guess = model(args.random_state).fit(texts[fit], labels[fit]).predict(texts[test])
        scores.append(float(f1_score(labels[test], guess, average="macro")))
    final = model(args.random_state).fit(texts, labels)

    os.makedirs("out", exist_ok=True)
    np.savez("out/weights.npz", coef=final[-1].coef_, intercept=final[-1].intercept_)
    with open("out/metrics.json", "w") as handle:
        json.dump({"f1": float(np.mean(scores)), "splits": scores, "headlines": len(texts)}, handle)
    print("macro F1 %.3f" % np.mean(scores))


if __name__ == "__main__":
    main()
