"""Under which circumstances a project runs, and why none of them may matter to what it computes."""

from typing import Literal

from reproducegym.schema.base import Frozen

__all__ = ["FIRST", "OTHER_SEED", "SECOND", "Circumstances"]


class Circumstances(Frozen):
    """What differs from run to run.

    `hash_seed` orders sets of text; `downwards` turns the order round in which directories are made and listed;
    `later_s` is what the clock is ahead; `processes` have run before, so that the process has another number; `place`
    is where below the workspace the project lies, `processor` the only one that it has, counted from those there are.
    """

    hash_seed: int
    downwards: bool
    later_s: float
    processes: int
    place: str
    processor: int

    def environment(self, packages: str) -> dict[str, str]:
        """The whole environment of the project's process, with packages below these directories."""
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": f"home-{self.place.partition('/')[0]}",
            "PYTHONPATH": packages,
            "PYTHONHASHSEED": str(self.hash_seed),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONNOUSERSITE": "1",
            "REPRODUCEGYM_PERTURBED": f"{int(self.downwards)},{self.later_s}",
        }


# The two that are compared are always the same two, so that a defect whose effect was measured shows it again when a
# fix is graded: of two hash seeds drawn anew, many would order a small set alike.
FIRST = Circumstances(hash_seed=20011, downwards=False, later_s=0.0, processes=2, place="first/project", processor=0)
SECOND = Circumstances(
    hash_seed=7919, downwards=True, later_s=8_391_722.25, processes=11, place="b/second/of-two", processor=1
)
OTHER_SEED = Circumstances(
    hash_seed=104_729, downwards=False, later_s=190_000.5, processes=5, place="third/seed", processor=0
)

Which = Literal["first", "second", "other_seed"]
