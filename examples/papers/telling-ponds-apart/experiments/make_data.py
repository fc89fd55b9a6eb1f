"""Makes the Reedbank data set: readings of six instruments in ponds, and which plants were found to prevail there."""

import csv
from pathlib import Path
from random import Random

__all__ = ["main"]

SEED = 20_260_117
ROWS = 600
SHARES = {"diatoms": 0.30, "green algae": 0.27, "cyanobacteria": 0.24, "duckweed": 0.19}
READINGS = ("temperature", "ph", "conductivity", "turbidity", "oxygen", "chlorophyll")
# Middle and unit of each reading; everything below is in these units.
SCALES = {
    "temperature": (15.0, 4.0, 1),
    "ph": (7.6, 0.4, 2),
    "conductivity": (420.0, 90.0, 0),
    "turbidity": (11.0, 3.0, 1),
    "oxygen": (8.2, 1.6, 2),
    "chlorophyll": (28.0, 9.0, 1),
}
# In warm and in cold ponds; what is not named is at the middle.
PLACES = {
    "diatoms": ({"temperature": 1.2, "oxygen": 1.2, "ph": -0.3}, {"temperature": -1.2, "oxygen": -1.2, "ph": -0.3}),
    "green algae": ({"temperature": 1.2, "oxygen": -1.2, "ph": 0.5}, {"temperature": -1.2, "oxygen": 1.2, "ph": 0.5}),
    "cyanobacteria": ({"temperature": 1.0, "chlorophyll": 1.9}, {"temperature": -1.0, "chlorophyll": 1.5}),
    "duckweed": ({"turbidity": -1.6, "chlorophyll": -0.9}, {"turbidity": -1.3, "chlorophyll": -1.1}),
}
NOISE = 0.62


def main() -> None:
    """Write data/reedbank.csv beside this file's directory; the same bytes every time."""
    draw = Random(SEED)
    kinds = [kind for kind, share in SHARES.items() for _ in range(round(share * ROWS))]
    draw.shuffle(kinds)
    path = Path(__file__).resolve().parent.parent / "data" / "reedbank.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*READINGS, "plants"])
        for kind in kinds:
            place = draw.choice(PLACES[kind])
            row = []
            for reading in READINGS:
                middle, unit, digits = SCALES[reading]
                row.append(f"{middle + unit * draw.gauss(place.get(reading, 0.0), NOISE):.{digits}f}")
            writer.writerow([*row, kind])


if __name__ == "__main__":
    main()
