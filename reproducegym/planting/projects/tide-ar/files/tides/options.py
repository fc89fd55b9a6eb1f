import configparser

KNOWN = frozenset({"gauge.folder", "model.order", "model.ridge", "noise.seed", "noise.imputations"})


def read(path, overrides):
    ini = configparser.ConfigParser()
    with open(path) as handle:
        ini.read_file(handle)
    for told in overrides:
        name, _, value = told.partition("=")
        if name not in KNOWN:
            raise SystemExit(f"unknown option {name}; known: {', '.join(sorted(KNOWN))}")
        section, key = name.split(".")
        ini[section][key] = value
    return ini
