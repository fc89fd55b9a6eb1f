"""Turns findings into the table that the verifier scores; standard library only, since it travels with tasks."""
