"""Numbers from the environment, with a default that is written down."""
import os


def number(name, default):
    told = os.environ.get(name, "").strip()
    return int(told) if told else default
