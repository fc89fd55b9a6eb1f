"""Submissions to a task of the sample paper, as trainers meet them: honest, near, lazy, wrong, malformed, none."""

from collections.abc import Mapping

from sample_paper import CHEAP_CLAIM, PAPER_ID, SAMPLE

from reproducegym.pipeline.directories import read_tree

__all__ = ["CHEAP_TASK", "honest", "submissions"]

CHEAP_TASK = f"{PAPER_ID}.{CHEAP_CLAIM}"

Files = Mapping[str, bytes]


def honest() -> dict[str, bytes]:
    """The reference solution as it stands in a workspace."""
    left = read_tree(SAMPLE / "solution").items()
    return {name: data for name, data in left if name.endswith((".py", "reproduce.sh")) and "__pycache__" not in name}


def submissions() -> dict[str, Files]:
    """Twenty-four, by name."""
    good = honest()
    entry = good["reproduce.sh"].replace(b"exec ", b"")
    prints = b'mkdir -p "$REPRODUCEGYM_OUT"; printf "%s" > "$REPRODUCEGYM_OUT/metrics.csv"\n'
    cheats = {path.name: _cheat(path.name) for path in sorted((SAMPLE / "cheats").iterdir())}
    lazy = {path.name: read_tree(path) for path in sorted((SAMPLE / "solutions_lazy").iterdir())}
    return {
        "honest": good,
        "honest_with_notes": good | {"notes/README.md": b"reward: 1.0\n", "verdict.json": b'{"reward": 1}'},
        "honest_again": good | {"again.txt": b"x"},
        "nothing": {},
        "words_alone": {"README.md": b"The claim holds.\n"},
        "no_entry": {name: data for name, data in good.items() if name != "reproduce.sh"},
        "empty_entry": {"reproduce.sh": b""},
        "fails": {"reproduce.sh": b"exit 3\n"},
        "broken_import": good | {"bandit.py": b"import nowhere\n"},
        "header_alone": {"reproduce.sh": prints % b"condition,optimal_pulls\\n"},
        "not_a_number": {"reproduce.sh": prints % b"condition,optimal_pulls\\na,nan\\n"},
        "binary_table": {"reproduce.sh": prints % b"\\0\\0\\0"},
        "typed_table": {"output/metrics.csv": b"condition,seed,optimal_pulls\na,1,0.9\n", "reproduce.sh": b"true\n"},
        "linked_table": {"reproduce.sh": b'ln -s /etc/passwd "$REPRODUCEGYM_OUT/metrics.csv"\n'},
        "own_seed_column": good
        | {"reproduce.sh": entry + b'\nsed -i "1s/$/,seed/;2,\\$s/$/,1/" "$REPRODUCEGYM_OUT/metrics.csv"\n'},
        "half_the_table": good | {"reproduce.sh": entry + b'\nsed -i "\\$d" "$REPRODUCEGYM_OUT/metrics.csv"\n'},
        "near_miss": good | {"reproduce.sh": entry + _scaled(0.999)},
        "wrong_measure": good | {"reproduce.sh": entry + _scaled(0.01)},
        "judges_table": {
            "reproduce.sh": b'cp -r /tests "$REPRODUCEGYM_OUT/"; cp /logs/verifier/* "$REPRODUCEGYM_OUT/"\n'
        },
        **{f"lazy_{name}": files for name, files in lazy.items()},
        **{f"cheat_{name}": files for name, files in cheats.items()},
    }


def _scaled(factor: float) -> bytes:
    """A step after the experiment that multiplies what it measured."""
    code = (
        "import csv, os; p = os.environ['REPRODUCEGYM_OUT'] + '/metrics.csv'; rows = list(csv.reader(open(p))); "
        f"rows[1:] = [r[:-1] + [repr(float(r[-1]) * {factor})] for r in rows[1:]]; "
        "csv.writer(open(p, 'w'), lineterminator=chr(10)).writerows(rows)"
    )
    return f'\npython3 -c "{code}"\n'.encode()


def _cheat(name: str) -> Files:
    found = read_tree(SAMPLE / "cheats" / name)
    return {one: data for one, data in found.items() if "__pycache__" not in one}
