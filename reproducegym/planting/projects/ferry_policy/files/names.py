"""Docks get numbers by their names."""


def number_docks(names: list[str]) -> dict[str, int]:
    labels = sorted(set(names))
    return {name: number for number, name in enumerate(labels)}
