"""Numbers of docks do not depend on the order of names."""

from names import number_docks


def test_order_does_not_matter():
    assert number_docks(["b", "a"]) == number_docks(["a", "b", "a"])
