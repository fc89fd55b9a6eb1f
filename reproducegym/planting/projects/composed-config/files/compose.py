import re
from pathlib import Path

import yaml

REFERENCE = re.compile(r"^\$\{([\w.]+)\}$")


def load(path):
    return yaml.safe_load(Path(path).read_text())


def put(config, name, value):
    *parents, last = name.split(".")
    for parent in parents:
        config = config[parent]
    if last not in config:
        raise KeyError(f"{name} is not in the configuration")
    config[last] = value


def look_up(config, name):
    for part in name.split("."):
        config = config[part]
    return config


def resolved(part, whole):
    if isinstance(part, dict):
        return {k: resolved(v, whole) for k, v in part.items()}
    if isinstance(part, str) and (found := REFERENCE.match(part)):
        return resolved(look_up(whole, found.group(1)), whole)
    return part


def compose(folder, overrides):
    folder = Path(folder)
    config = load(folder / "config.yaml")
    groups = {k: v for entry in config.pop("defaults") for k, v in entry.items()}
    told = dict(word.split("=", 1) for word in overrides)
    for group, choice in groups.items():
        config[group] = load(folder / group / f"{told.pop(group, choice)}.yaml")
    for name, value in told.items():
        put(config, name, yaml.safe_load(value))
    return resolved(config, config)
