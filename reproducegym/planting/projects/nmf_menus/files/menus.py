import argparse
import json
import pathlib
import warnings

import numpy as np
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer

from corpus import menus, thinned

HERE = pathlib.Path(__file__).parent.resolve()
warnings.simplefilter("ignore", ConvergenceWarning)


def factorise(lines, topics, rounds, seed):
    words = CountVectorizer(min_df=2)
    counts = words.fit_transform(lines)
    model = NMF(topics, init="random", solver="mu", max_iter=rounds, random_state=seed)
    return model.fit_transform(counts), model, words.get_feature_names_out()


def main():
    params = json.loads((HERE / "params.json").read_text())
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=params["seed"])
    seed = parser.parse_args().seed
    lines = thinned(menus(HERE / "menus.csv"), params["drop"], seed)
    shares, model, names = factorise(lines, params["topics"], params["rounds"], seed)
    tops = [[names[i] for i in np.argsort(-row, kind="stable")[:3]] for row in model.components_]
    np.savez(HERE / "topics.npz", shares=shares, components=model.components_)
    told = {"error": float(model.reconstruction_err_), "tops": tops, "words": len(names)}
    (HERE / "topics.json").write_text(json.dumps(told))
    print(tops)


if __name__ == "__main__":
    main()
