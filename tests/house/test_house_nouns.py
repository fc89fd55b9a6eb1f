"""The nouns are frozen, closed and strict, and their bytes do not depend on where or when they are made."""

import importlib
import os
import pkgutil
import subprocess
import sys
from decimal import Decimal

import pytest
from pydantic import BaseModel, ValidationError

import reproducegym.schema
from reproducegym.schema.base import Frozen, canonical_json, short_digest
from reproducegym.schema.claim import Provenance, Spread


def models() -> list[type[BaseModel]]:
    found = []
    for module in pkgutil.iter_modules(reproducegym.schema.__path__):
        loaded = importlib.import_module(f"reproducegym.schema.{module.name}")
        found += [
            v
            for v in vars(loaded).values()
            if isinstance(v, type) and issubclass(v, BaseModel) and v.__module__ == loaded.__name__
        ]
    return found


@pytest.mark.parametrize("model", models(), ids=lambda m: m.__name__)
def test_every_model_is_frozen_closed_and_strict(model: type[BaseModel]):
    assert issubclass(model, Frozen)
    assert model.model_config["frozen"] is True
    assert model.model_config["extra"] == "forbid"
    assert model.model_config["strict"] is True


def test_a_number_is_never_read_from_a_word():
    with pytest.raises(ValidationError):
        Provenance.from_json('{"kind": "sentence", "page": "1", "bbox": [0, 0, 1, 1], "quote": "7"}')


def test_a_page_counts_from_one():
    with pytest.raises(ValidationError):
        Provenance(kind="sentence", page=0, bbox=(0.0, 0.0, 1.0, 1.0), quote="7")


def test_values_survive_their_json_exactly():
    spread = Spread(value=Decimal("0.40"), kind="sd", over="seeds", n=5)
    assert Spread.from_json(spread.to_json()) == spread
    assert str(Spread.from_json(spread.to_json()).value) == "0.40"


SCRIPT = """
from decimal import Decimal
from reproducegym.schema.base import short_digest
from reproducegym.schema.spec import Condition
print(short_digest(Condition(label="a", source_label="ε-greedy", switches={"z": "1", "b": "2"}, description="")))
"""


def test_digests_are_the_same_in_every_process_locale_and_time_zone():
    answers = set()
    for seed, zone, locale in (("0", "UTC", "C.UTF-8"), ("1", "Asia/Tokyo", "C"), ("77", "America/Lima", "POSIX")):
        env = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "PYTHONUTF8": "1"}
        answers.add(subprocess.run([sys.executable, "-c", SCRIPT], env=env, capture_output=True, check=True).stdout)
    assert len(answers) == 1


def test_canonical_json_sorts_its_keys():
    value = Spread(value=Decimal("1"), kind="sd", over="seeds", n=5)
    assert canonical_json(value) == b'{"kind":"sd","n":5,"over":"seeds","value":"1"}'
    assert len(short_digest(value)) == 16
