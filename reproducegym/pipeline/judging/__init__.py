"""Runs that the judge starts, and what they earn."""
