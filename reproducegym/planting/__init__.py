"""Planting: clean experiments of our own, and operators that damage them in one known place at a time."""
