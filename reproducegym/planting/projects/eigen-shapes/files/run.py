import json
import os
import sys
import time

import numpy as np

from shapes import outlines, pca
from shapes.env import number


def main(argv):
    seed = int(argv[1]) if len(argv) > 1 else number("SHAPES_SEED", 7)
    count = number("SHAPES_COUNT", 150)
    keep = number("SHAPES_KEEP", 4)
    began = time.time()

    np.random.seed(seed)
    drawn = outlines.draw(count)
    mean, parts, variances = pca.components(drawn, keep)
    share = float(variances.sum() / drawn.var(axis=0, ddof=0).sum())

    where = os.path.join(os.path.dirname(os.path.abspath(__file__)), "out")
    os.makedirs(where, exist_ok=True)
    np.savez(os.path.join(where, "components.npz"), mean=mean, parts=parts)
    with open(os.path.join(where, "metrics.json"), "w") as out:
        json.dump({"explained": share, "variances": variances.tolist(), "seed": seed}, out)
    print(f"explained {share:.3f} in {time.time() - began:.2f} s")


if __name__ == "__main__":
    main(sys.argv)
