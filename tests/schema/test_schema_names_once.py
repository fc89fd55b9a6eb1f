"""A name twice in an object of JSON is told, at whatever depth, and in time that follows its length."""

import json
import time

import pytest

from reproducegym.schema.names_once import names_once


@pytest.mark.parametrize("text", ['{"a": 1, "a": 1}', '[{"b": {"a": {}, "c": 0, "a": {}}}]', '{"\\u0061": 1, "a": 2}'])
def test_a_name_twice_is_refused_at_any_depth(text: str):
    with pytest.raises(ValueError, match="an object has the name 'a' twice"):
        json.loads(text, object_pairs_hook=names_once)


def test_a_name_in_two_objects_is_no_name_twice():
    assert json.loads('{"a": {"a": 1}, "b": [{"a": 2}]}', object_pairs_hook=names_once) == {
        "a": {"a": 1},
        "b": [{"a": 2}],
    }


def test_a_long_object_is_refused_at_once():
    pairs = [(str(number), 0) for number in range(60_000)]
    begun = time.process_time()
    with pytest.raises(ValueError, match="the name '59999' twice"):
        names_once([*pairs, pairs[-1]])
    assert time.process_time() - begun < 2
