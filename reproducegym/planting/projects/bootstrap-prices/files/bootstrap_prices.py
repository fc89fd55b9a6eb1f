import argparse
import datetime
import json

import numpy as np

import listings
import settings
from robust import huber_line, interval


def resample(n, streets=None):
    if streets is None:
        return np.random.randint(0, n, n)
    names = np.unique(streets)
    chosen = np.random.choice(names, size=len(names))
    return np.concatenate([np.flatnonzero(streets == name) for name in chosen])


def split(n, share):
    mixed = np.arange(n)
    np.random.shuffle(mixed)
    return mixed[int(n * share):], mixed[: int(n * share)]


def replicates(area, price, count, streets):
    lines = []
    for _ in range(count):
        pick = resample(len(area), streets)
        lines.append(huber_line(area[pick], price[pick]))
    return np.array(lines)


def cli():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=settings.SEED)
    p.add_argument("--blocks", action="store_true", help="resample streets, not flats")
    p.add_argument("--stamp", action="store_true", help="print the day, for the lab book")
    return p.parse_args()


def main():
    args = cli()
    np.random.seed(args.seed)
    streets, area, price = listings.read()
    fit, held = split(len(area), settings.HOLD_OUT)
    lines = replicates(area[fit], price[fit], settings.REPLICATES, streets[fit] if args.blocks else None)
    intercept, slope = np.median(lines, axis=0)
    error = np.abs(intercept + slope * area[held] - price[held])

    out = listings.LISTINGS.parent / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "replicates.npz", lines=lines)
    metrics = {"slope": float(slope), "interval": interval(lines[:, 1], settings.LEVEL),
               "median_error": float(np.median(error)), "seed": args.seed}
    (out / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n")
    if args.stamp:
        print(datetime.date.today())
    print("%.2f per square metre, %s" % (slope, metrics["interval"]))


if __name__ == "__main__":
    main()
