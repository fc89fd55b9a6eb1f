"""Runs the code cells of a notebook from top to bottom; -p NAME=VALUE replaces a number of the first cell."""
import argparse
import json
import re

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("notebook")
parser.add_argument("-p", dest="parameters", action="append", default=[])


def cells(path, parameters):
    with open(path, encoding="utf-8") as handle:
        notebook = json.load(handle)
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    for told in parameters:
        name, value = told.split("=")
        code[0], found = re.subn(rf"^{name} = .*$", f"{name} = {int(value)}", code[0], flags=re.MULTILINE)
        if not found:
            raise SystemExit(f"the first cell sets no {name}")
    return code


def run(path, parameters):
    names = {"__name__": "__notebook__"}
    for number, text in enumerate(cells(path, parameters), 1):
        exec(compile(text, f"cell {number} of {path}", "exec"), names)
    return names


if __name__ == "__main__":
    args = parser.parse_args()
    run(args.notebook, args.parameters)
