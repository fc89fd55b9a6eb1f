import csv
from datetime import datetime
from pathlib import Path

import numpy as np


def levels(folder):
    """Levels hour by hour, nan where the gauge was silent. Files may come in any order; hours decide."""
    seen = {}
    for path in Path(folder).glob("*.csv"):
        with path.open(newline="") as lines:
            for hour, level in csv.reader(lines):
                seen[datetime.fromisoformat(hour)] = float(level) if level else np.nan
    first, last = min(seen), max(seen)
    count = int((last - first).total_seconds() // 3600) + 1
    series = np.full(count, np.nan)
    for hour in sorted(seen):
        series[int((hour - first).total_seconds() // 3600)] = seen[hour]
    return series
