"""Faces of the environment that need a library of their own; nothing else here imports them."""
