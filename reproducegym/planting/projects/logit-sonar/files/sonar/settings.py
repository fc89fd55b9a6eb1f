import json
from dataclasses import dataclass, replace
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "sonar.json"


@dataclass(frozen=True)
class Settings:
    seed: int
    echoes: int
    bands: int
    noise: float
    lr: float
    momentum: float
    epochs: int
    patience: int
    batch: int

    @classmethod
    def load(cls, changes=()):
        settings = cls(**json.loads(FILE.read_text()))
        for change in dict.fromkeys(changes):
            key, _, value = change.partition("=")
            kind = type(getattr(settings, key))
            settings = replace(settings, **{key: kind(value)})
        return settings
