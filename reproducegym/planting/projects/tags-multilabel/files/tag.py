import argparse
import json
import pathlib

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold
from sklearn.multioutput import ClassifierChain

from forum import load_questions

HERE = pathlib.Path(__file__).resolve().parent


class Chains:
    def __init__(self, count, C, seed):
        self.words = TfidfVectorizer(min_df=2, sublinear_tf=True)
        base = LogisticRegression(C=C, solver="liblinear", random_state=seed)
        self.chains = [ClassifierChain(base, order="random", random_state=seed + i) for i in range(count)]

    def fit(self, texts, table):
        x = self.words.fit_transform(texts)
        for chain in self.chains:
            chain.fit(x, table)
        return self

    def predict(self, texts):
        x = self.words.transform(texts)
        return (np.mean([chain.predict_proba(x) for chain in self.chains], axis=0) > 0.4).astype(int)

    def weights(self):
        found = {}
        for number, chain in enumerate(self.chains):
            found[f"order{number}"] = np.array(chain.order_)
            found[f"coef{number}"] = np.concatenate([e.coef_.ravel() for e in chain.estimators_])
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default=HERE / "conf" / "tags.json")
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    conf = json.loads(pathlib.Path(args.config).read_text())
    seed = conf["seed"] if args.seed is None else args.seed

    texts, table, tags = load_questions(HERE / "questions")
    texts, table = np.array(texts), np.array(table)
    guess = np.zeros_like(table)
    for fit, held in KFold(conf["folds"], shuffle=True, random_state=seed).split(texts):
        guess[held] = Chains(conf["chains"], conf["C"], seed).fit(texts[fit], table[fit]).predict(texts[held])
    model = Chains(conf["chains"], conf["C"], seed).fit(texts, table)

    out = HERE / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "chains.npz", **model.weights())
    metrics = {"micro_f1": float(f1_score(table, guess, average="micro", zero_division=0)), "tags": tags}
    (out / "metrics.json").write_text(json.dumps(metrics, indent=2))
    print("micro-F1 %.2f over %d tags" % (metrics["micro_f1"], len(tags)))


if __name__ == "__main__":
    main()
