import yaml


def read(path, overrides=()):
    with open(path) as handle:
        config = yaml.safe_load(handle)
    for word in overrides:
        name, value = word.split("=", 1)
        *parents, last = name.split(".")
        place = config
        for parent in parents:
            place = place[parent]
        if last not in place:
            raise KeyError(f"{name}: no such key; there are {', '.join(place)}")
        place[last] = yaml.safe_load(value)
    return config
