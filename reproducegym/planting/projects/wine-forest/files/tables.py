import csv
from pathlib import Path

import numpy as np

COLUMNS = ["acid", "sugar", "alcohol", "tannin", "colour"]


def load(folder):
    """Rows of all tables, below each other, in the order of the files' names."""
    x, y = [], []
    for path in sorted(Path(folder).glob("*.csv")):
        with path.open(newline="") as handle:
            reader = csv.DictReader(handle)
            if set(reader.fieldnames) != set(COLUMNS) | {"cellar"}:
                raise SystemExit(f"{path}: other columns than {', '.join(COLUMNS)}")
            for row in reader:
                x.append([float(row[c]) for c in COLUMNS])
                y.append(row["cellar"])
    return np.array(x), np.array(y)
