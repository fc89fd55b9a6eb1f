import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.mixture import GaussianMixture

from shops.weeks import jittered, load_towns


def group(shares, k, seed):
    means = KMeans(k, init="random", n_init=2, random_state=seed).fit(shares)
    mixture = GaussianMixture(k, covariance_type="spherical", init_params="random_from_data", random_state=seed)
    return means, mixture.fit(shares)


def stability(shares, k, seed, times=4):
    """How alike the groups stay when the weeks jitter: mean adjusted Rand index."""
    rng = np.random.default_rng(seed)
    reference = group(shares, k, seed)[0].labels_
    indices = []
    for _ in range(times):
        other = KMeans(k, n_init=1, random_state=int(rng.integers(2**31))).fit(jittered(shares, rng))
        indices.append(adjusted_rand_score(reference, other.labels_))
    return float(np.mean(indices))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, default=4)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--out", type=Path, default=Path("out"))
    args = parser.parse_args()
    names, shares = load_towns()
    means, mixture = group(shares, args.k, args.seed)
    metrics = {
        "silhouette": float(silhouette_score(shares, means.labels_)),
        "agreement": float(adjusted_rand_score(means.labels_, mixture.predict(shares))),
        "stability": stability(shares, args.k, args.seed),
        "groups": len(set(means.labels_.tolist())),
    }
    args.out.mkdir(exist_ok=True)
    np.savez(args.out / "centres.npz", means=means.cluster_centers_, mixture=mixture.means_, labels=means.labels_)
    (args.out / "metrics.json").write_text(json.dumps(metrics, indent=2))
    for name, label in list(zip(names, means.labels_))[:5]:
        print(label, name)


if __name__ == "__main__":
    main()
