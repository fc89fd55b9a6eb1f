"""Execute notebooks one after the other in one namespace."""
import argparse
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, ROOT)


def source(path):
    with open(path) as f:
        cells = json.load(f)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            yield "".join(line for line in cell["source"] if not line.startswith("%"))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("notebooks", nargs="+")
    p.add_argument("--define", action="append", default=[], help="name=integer, before the first cell")
    args = p.parse_args()
    namespace = {"__name__": "notebook"}
    for word in args.define:
        name, value = word.split("=")
        namespace[name] = int(value)
    for path in args.notebooks:
        for code in source(path):
            exec(compile(code, path, "exec"), namespace)


if __name__ == "__main__":
    main()
