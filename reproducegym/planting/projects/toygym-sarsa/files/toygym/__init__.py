from toygym.lake import Lake

_REGISTRY = {"Lake-v0": dict(size=4, slip=0.0), "Lake-slippery-v0": dict(size=4, slip=0.2)}


def make(name):
    if name not in _REGISTRY:
        raise KeyError(f"unknown environment {name}; there are {', '.join(sorted(_REGISTRY))}")
    return Lake(**_REGISTRY[name])
