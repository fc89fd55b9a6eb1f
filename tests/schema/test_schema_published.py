"""The published JSON Schemas are those of the models, and what people read lists them all."""

import json
from pathlib import Path

import jsonschema
import pytest

from reproducegym.schema.publish import PUBLISHED, SCHEMA_DIRECTORY, name_of, publish, schema_bytes
from reproducegym.schema.task import LeakFinding


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_a_published_schema_is_current(name: str) -> None:
    published = (SCHEMA_DIRECTORY / f"{name}.json").read_bytes()
    assert published == schema_bytes(name), "run: python -m reproducegym.schema.publish"
    jsonschema.Draft202012Validator.check_schema(json.loads(published))


def test_no_other_schema_lies_about() -> None:
    assert {path.stem for path in SCHEMA_DIRECTORY.glob("*.json")} == set(PUBLISHED)


def test_publishing_removes_what_is_no_longer_published(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}")
    publish(tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(PUBLISHED)


def test_the_docs_list_every_schema(root: Path) -> None:
    page = (root / "docs" / "schemas.md").read_text()
    assert all(f"reproducegym/schemas/{name}.json" in page for name in PUBLISHED)


def test_a_model_that_is_not_published_is_not_read_back() -> None:
    with pytest.raises(KeyError, match="LeakFinding is not a published model"):
        name_of(LeakFinding)
