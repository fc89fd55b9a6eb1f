import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cells import Cells

random.seed(0)


def test_halves_cover_all_rows():
    (a, _), (b, _) = Cells(10, 6, 2, 0).halves()
    assert len(a) + len(b) == 10
