"""Reading the monthly files and turning hours into numbers."""
import csv
import glob
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def read_months(folder=os.path.join(HERE, "data")):
    rows = []
    for path in sorted(glob.glob(os.path.join(folder, "*.csv"))):
        with open(path, newline="") as handle:
            rows.extend(csv.DictReader(handle))
    weekdays = {row["weekday"] for row in rows}
    if len(weekdays) != 7:
        raise ValueError("expected all seven weekdays, got %d" % len(weekdays))
    return rows


def features(rows):
    """(n, 8) matrix and (n,) counts: two harmonics of the hour, weather, weekend."""
    hour = np.array([float(r["hour"]) for r in rows]) * 2 * np.pi / 24
    temp = np.array([float(r["temp"]) for r in rows])
    rain = np.array([float(r["rain"]) for r in rows])
    weekend = np.array([r["weekday"] in ("sat", "sun") for r in rows], dtype=float)
    columns = [np.sin(hour), np.cos(hour), np.sin(2 * hour), np.cos(2 * hour), temp / 10, rain, weekend]
    x = np.column_stack(columns + [np.ones(len(rows))])
    y = np.array([float(r["count"]) for r in rows])
    return x, y
