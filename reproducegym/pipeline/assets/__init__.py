"""Data sets and models that an operator provides: their cards, digests, labels, and the copies that runs get."""
