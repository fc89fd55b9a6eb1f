import argparse
import json
import pathlib
import random

import numpy as np

from ratings import Ratings

HERE = pathlib.Path(__file__).resolve().parent


class Factors:
    def __init__(self, users, movies, rank, mean):
        self.mean = mean
        self.bu, self.bm = np.zeros(users), np.zeros(movies)
        self.p = np.random.normal(0, 0.1, (users, rank))
        self.q = np.random.normal(0, 0.1, (movies, rank))

    def predict(self, u, m):
        return self.mean + self.bu[u] + self.bm[m] + self.p[u] @ self.q[m]

    def sweep(self, triples, rate, penalty):
        random.shuffle(triples)
        for u, m, stars in triples:
            e = stars - self.predict(u, m)
            self.bu[u] += rate * (e - penalty * self.bu[u])
            self.bm[m] += rate * (e - penalty * self.bm[m])
            pu = self.p[u].copy()
            self.p[u] += rate * (e * self.q[m] - penalty * pu)
            self.q[m] += rate * (e * pu - penalty * self.q[m])

    def rmse(self, triples):
        return float(np.sqrt(np.mean([(s - self.predict(u, m)) ** 2 for u, m, s in triples])))


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)


def main():
    config = json.loads((HERE / "config.json").read_text())
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=config["seed"])
    seed = parser.parse_args().seed
    seed_all(seed)

    ratings = Ratings(HERE / config["ratings"])
    train, test = ratings.hold_out(config["hold_out_every"], seed)
    mean = sum(s for _, _, s in train) / len(train)
    model = Factors(len(ratings.user_id), len(ratings.movie_id), config["rank"], mean)
    history = []
    for _ in range(config["epochs"]):
        model.sweep(train, config["rate"], config["penalty"])
        history.append(model.rmse(train))

    out = HERE / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "factors.npz", p=model.p, q=model.q, bu=model.bu, bm=model.bm, mean=mean)
    spread = float(np.std([s for _, _, s in test]))
    metrics = {"rmse": model.rmse(test), "spread": spread, "train_rmse": history}
    (out / "metrics.json").write_text(json.dumps(metrics))
    print("rmse", round(metrics["rmse"], 3))


if __name__ == "__main__":
    main()
