"""Draws a classic episode: some of a level's kinds, planted in files whose names and numbers differ each time."""

import random
import re
from types import MappingProxyType

from reproducegym.families.auditor.classic.case import ClassicCase
from reproducegym.families.auditor.classic.easy import EASY
from reproducegym.families.auditor.classic.hard import HARD
from reproducegym.families.auditor.classic.kind import Kind, Pool, Snippet
from reproducegym.families.auditor.classic.medium import MEDIUM
from reproducegym.families.auditor.nouns import Level

__all__ = ["KINDS", "SNIPPETS", "Classic"]

SNIPPETS = MappingProxyType({one.level: one for one in (EASY, MEDIUM, HARD)})
KINDS: tuple[Kind, ...] = tuple(kind for one in SNIPPETS.values() for kind in one.kinds)

_NAMES: Pool = MappingProxyType(
    {
        "MODEL": ("a small classifier", "a two-layer network", "a baseline", "a probe", "a student network"),
        "DATASET": ("moons", "digits", "satellites", "leaves", "gaits", "spirals", "tides"),
        "ROWS": ("Rows", "Samples", "Observations", "Examples", "Records"),
        "NET": ("net", "network", "model", "classifier", "student"),
        "OPTIMIZER": ("SGD", "Adam", "AdamW", "RMSprop"),
        "ORG": ("north", "quay", "harbour", "meadow"),
        "BACKBONE": ("tiny-encoder", "small-encoder", "base-encoder"),
        "VARIABLE": ("LR", "LEARNING_RATE", "STEP_SIZE"),
        "INPUTS": ("2", "8", "16", "64"),
        "OUTPUTS": ("2", "3", "10"),
        "WIDTH": ("24", "32", "48", "96", "128"),
        "WORKERS": ("2", "4", "6", "8"),
        "EPOCHS": ("5", "10", "20", "30"),
        "NOISE": ("0.01", "0.05", "0.1"),
        "NUMPY": ("1.26.4", "2.0.2", "2.1.3"),
    }
)
_PAIRS: Pool = MappingProxyType(
    {
        "RATE": ("0.1", "0.05", "0.01", "0.003", "0.001"),
        "BATCH": ("16", "32", "64", "128"),
        "TORCH": ("2.3.1", "2.4.1", "2.5.1", "2.6.0"),
    }
)
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_NAME = re.compile(r"\$(\w+)")


class Classic:
    """The drawer of classic mode; `reset(seed)` is a function of level and seed alone."""

    name = "classic"

    def draw(self, level: Level, seed: int) -> ClassicCase:
        """One episode with one violation at least."""
        snippet = SNIPPETS[level]
        chance = random.Random(f"classic/{level}/{seed}")  # noqa: S311 - drawn again from its seed, not a secret
        count = chance.randint(1, len(snippet.kinds))
        planted = frozenset(chance.sample(range(len(snippet.kinds)), count))
        names = _names(snippet, chance)
        slots = {
            slot: lines.broken if number in planted else lines.whole
            for number, kind in enumerate(snippet.kinds)
            for slot, lines in kind.slots.items()
        }
        files = {
            names[role]: _NAME.sub(lambda found: names[found[1]], _SLOT.sub(lambda found: slots[found[1]], text))
            for role, text in snippet.texts.items()
        }
        return ClassicCase(
            level,
            seed,
            MappingProxyType(files),
            tuple(snippet.kinds[number] for number in sorted(planted)),
            MappingProxyType({role: names[role] for role in snippet.names}),
        )


def _names(snippet: Snippet, chance: random.Random) -> dict[str, str]:
    """A text for every placeholder; of a pair the second differs from the first."""
    pick = chance.choice
    names = {name: pick(pool) for name, pool in _NAMES.items()}
    for name, pool in _PAIRS.items():
        names[name], names[f"OTHER_{name}"] = chance.sample(pool, 2)
    names["TAG"] = f"{names['DATASET']}-{chance.getrandbits(24):06x}"
    names["SEED"] = str(chance.randrange(10_000))
    names["DIGEST"] = f"{chance.getrandbits(256):064x}"
    names["COMMIT"] = f"{chance.getrandbits(160):040x}"
    for role, pool in snippet.names.items():
        names[role] = pick(pool)
        names[f"{role}_module"] = names[role].removesuffix(".py").removeprefix("lib/")
    return names
