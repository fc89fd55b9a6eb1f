"""Settings: a YAML file, and single ones from the command line."""

import yaml


def read(path: str, changes: list[str]) -> dict:
    with open(path) as file:
        settings = yaml.safe_load(file)
    for change in changes:
        name, _, value = change.partition("=")
        if name not in settings:
            raise SystemExit(f"{name}: no such setting")
        settings[name] = yaml.safe_load(value)
    return settings
