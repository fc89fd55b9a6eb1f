import argparse
import json
import os
import tomllib

from kendall import tau
from surf import by_power, by_surfing
from wiki_graph import Graph

ROOT = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(os.path.join(ROOT, "conf.toml"), "rb") as f:
        conf = tomllib.load(f)["surf"]
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=conf["seed"])
    args = parser.parse_args()

    graph = Graph.read(os.path.join(ROOT, "wiki"))
    surfed = by_surfing(graph, conf["surfers"], conf["clicks"], conf["damping"], args.seed)
    exact = by_power(graph, conf["damping"])
    order = sorted(range(len(graph)), key=lambda i: (-surfed[i], graph.pages[i]))

    os.makedirs(os.path.join(ROOT, "out"), exist_ok=True)
    with open(os.path.join(ROOT, "out", "ranks.json"), "w") as f:
        json.dump({graph.pages[i]: float(surfed[i]) for i in order}, f, indent=1)
    metrics = {"tau": tau(surfed, exact), "worst": float(abs(surfed - exact).max()), "pages": len(graph)}
    with open(os.path.join(ROOT, "out", "metrics.json"), "w") as f:
        json.dump(metrics, f)
    print("tau %.3f, first: %s" % (metrics["tau"], graph.pages[order[0]]))


if __name__ == "__main__":
    main()
