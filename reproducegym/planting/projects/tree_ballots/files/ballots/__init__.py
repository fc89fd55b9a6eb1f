"""Ballots and who cast them."""
