import argparse
import json
import os
import random

import numpy as np

from bayes import bagged, is_spam
from letters import Mailbox


def train(args):
    random.seed(args.seed)
    box = Mailbox(args.mail, os.path.join(os.path.dirname(os.path.abspath(__file__)), "stopwords.txt"))
    training, held = box.deal(0.7)
    model = bagged(training, args.bags, args.drop, args.smoothing)
    right = np.array([is_spam(model, words) == spam for words, spam in held])
    loud = sorted(model["score"], key=lambda w: (-abs(model["score"][w]), w))[:5]
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "model.json"), "w") as f:
        json.dump(model, f, indent=0, sort_keys=True)
    with open(os.path.join(args.out, "metrics.json"), "w") as f:
        json.dump({"accuracy": float(right.mean()), "held": len(held), "longest": box.longest, "loud": loud}, f)
    print(f"{right.sum()} of {len(held)} right; loud words: {', '.join(loud)}")


parser = argparse.ArgumentParser()
sub = parser.add_subparsers(dest="command", required=True)
p = sub.add_parser("train")
p.add_argument("mail")
p.add_argument("--seed", type=int, default=5)
p.add_argument("--bags", type=int, default=9)
p.add_argument("--drop", type=float, default=0.2)
p.add_argument("--smoothing", type=float, default=0.5)
p.add_argument("--out", default="out")

if __name__ == "__main__":
    arguments = parser.parse_args()
    train(arguments)
