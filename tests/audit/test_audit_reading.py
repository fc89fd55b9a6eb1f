"""Reading: notebooks, broken files, names, order, dependencies, documents."""

import json

import pytest
from repositories import asked, report_on, repository, rules_found

from ml_audit import Repository, audit

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["# random.shuffle(x) is prose\n"]},
    {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [{"name": "stdout", "output_type": "stream", "text": ["import random\n", "C:\\Users\\me\\data\n"]}],
        "source": ["%matplotlib inline\n", "import random\n", "!pip install x\n", "random.shuffle([1, 2])"],
    },
]
NOTEBOOK = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def test_lines_of_a_notebook_are_lines_of_its_file():
    found = next(f for f in report_on({"a.ipynb": NOTEBOOK}).findings if f.rule == "python-seed-missing")
    assert found.line is not None
    assert "random.shuffle([1, 2])" in NOTEBOOK.splitlines()[found.line - 1]


def test_outputs_of_a_notebook_are_no_code():
    assert asked({"a.ipynb": NOTEBOOK})["absolute_paths"] == "no"
    assert asked({"a.ipynb": NOTEBOOK, ".ipynb_checkpoints/a.ipynb": NOTEBOOK})["notebooks"] == "1"


def test_comments_and_docstrings_are_no_code():
    text = '"""torch.manual_seed(0)"""\n# torch.manual_seed(0)\nimport torch\nprint(torch.rand(1))\n'
    assert asked({"train.py": text})["seed_torch"] == "no"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\xff",
        b"print 'two'\n",
        b"def f(:\n",
        b"\xef\xbb\xbfx = 1\n",
        b"# coding: klingon\nx = 1\n",
        b"(" * 5000,
        b"x = " + b"-" * 3000 + b"1\n",
        b"a." * 2000 + b"b\n",
        "x = 'ü'".encode("latin-1"),
    ],
)
def test_no_python_file_breaks_the_audit(content: bytes):
    report = audit(Repository("x", {"a.py": content, "b.py": b"import random\nrandom.random()\n"}))
    assert "python-seed-missing" in {f.rule for f in report.findings}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"cells": 3}',
        '{"cells": [3, {"cell_type": "code"}, {"cell_type": "code", "source": 4}]}',
        '{"worksheets": [{"cells": [{"cell_type": "code", "input": ["import torch\\n"]}]}]}',
        '{"cells": [{"source": "x"}]}',
    ],
)
def test_no_notebook_breaks_the_audit(text: str):
    assert audit(repository({"a.ipynb": text})).signals["notebooks"].value == "1"


def test_python_2_is_named():
    found = [f for f in report_on({"old.py": "x = 1\nprint 'hello'\n"}).findings if f.rule == "broken-syntax"]
    assert [(f.line, "Python 2" in f.message) for f in found] == [(2, True)]


def test_star_imports_of_own_modules_are_followed():
    files = {"lib.py": "import numpy as np\n", "train.py": "from lib import *\n\nprint(np.random.rand())\n"}
    assert asked(files)["seed_numpy"] == "no"


def test_cudnn_is_known_by_every_name():
    for head in (
        "import torch.backends.cudnn as cudnn\ncudnn.",
        "from torch.backends import cudnn\ncudnn.",
        "import torch\ntorch.backends.cudnn.",
    ):
        files = {"train.py": f"{head}benchmark = True\n"}
        assert asked(files)["nondeterminism_flags"] == "yes"
        assert "cudnn-benchmark-on" in rules_found(files)


def test_determinism_follows_its_flag():
    text = (
        "import argparse\nimport torch\n\np = argparse.ArgumentParser()\np.add_argument('--det', action='store_true')\n"
    )
    text += "args = p.parse_args()\ntorch.backends.cudnn.deterministic = args.det\nmodel = torch.nn.Linear(1, 1)\n"
    assert asked({"train.py": text})["determinism_flags"] == "partial"
    assert asked({"train.py": text.replace("store_true", "store_false")})["determinism_flags"] == "yes"


def test_only_orders_that_reach_data_are_hazards():
    yes = "import os\n\n\ndef load_images(root):\n    names = os.listdir(root)\n    return names\n"
    for harmless in ("sorted(os.listdir(root))", "len(os.listdir(root))"):
        assert asked({"d.py": yes.replace("os.listdir(root)", harmless)})["iteration_order_hazard"] == "no"
    assert asked({"d.py": yes})["iteration_order_hazard"] == "yes"
    assert asked({"d.py": yes.replace("    return", "    names.sort()\n    return")})["iteration_order_hazard"] == "no"
    checkpoints = "import os\n\n\ndef last_checkpoint(out):\n    for name in os.listdir(out):\n        print(name)\n"
    assert asked({"d.py": checkpoints})["iteration_order_hazard"] == "no"


@pytest.mark.parametrize(
    ("files", "value"),
    [
        ({"requirements.txt": "a==1\nb==2\n"}, "all"),
        ({"requirements.txt": "a==1\nb\n"}, "some"),
        ({"requirements.txt": "a>=1,<2\nb\n"}, "some"),
        ({"requirements.txt": "a>=1\nb\n"}, "none"),
        ({"README.md": "# x\n"}, "absent"),
        ({"environment.yml": "dependencies:\n  - python=3.9\n  - numpy=1.2\n  - pip:\n    - torch==2.1\n"}, "all"),
        (
            {"pyproject.toml": "[project]\nname='x'\ndependencies=['a>=1']\n", "uv.lock": '[[package]]\nname = "a"\n'},
            "all",
        ),
        ({"requirements.txt": "# conda list --export\n_libgcc_mutex=0.1=main\npytorch=1.4.0=py3.7_cuda_0\n"}, "all"),
        ({"setup.py": "from setuptools import setup\nsetup(install_requires=['a'])\n"}, "none"),
    ],
)
def test_how_dependencies_are_pinned(files: dict[str, str], value: str):
    assert asked(files)["dependencies_pinned"] == value


def test_pins_that_nobody_can_install_have_a_safe_edit():
    found = next(
        f for f in report_on({"requirements.txt": "yaml==5.3.1\n"}).findings if f.rule == "requirement-not-installable"
    )
    assert found.edit is not None
    assert (found.edit.before, found.edit.after) == ("yaml==5.3.1", "PyYAML==5.3.1")


def test_what_is_no_lock_no_test_no_licence_and_no_ci():
    found = asked(
        {
            "dvc.lock": "schema: '2.0'\n",
            "bert_test.py": "def test():\n    return 1\n\n\nfor epoch in range(2):\n    test()\n",
            "README.md": "Licensed under MIT.\n",
            ".github/workflows/stale.yml": "on:\n  push:\njobs:\n  s:\n    steps:\n      - uses: actions/stale@v9\n",
            ".devcontainer/devcontainer.json": '{"image": "python:3.11"}',
        }
    )
    names = ("has_lockfile", "has_tests", "has_license", "has_ci", "has_dockerfile")
    assert {found[n] for n in names} == {"no"}


PYPROJECT = '[project]\nname = "x"\ndependencies = ["numpy", "scikit_learn>=1", "tqdm"]\n'
TOML_LOCK = '[[package]]\nname = "numpy"\nversion = "2.4.6"\n\n[[package]]\nname = "scikit-learn"\nversion = "1.9.1"\n'


@pytest.mark.parametrize(
    ("files", "value"),
    [
        ({"uv.lock": TOML_LOCK, "pyproject.toml": PYPROJECT}, "yes"),
        ({"poetry.lock": TOML_LOCK}, "yes"),
        ({"poetry.lock": "# seeded, sorted, pinned\n"}, "no"),
        ({"poetry.lock": ""}, "no"),
        ({"pylock.toml": TOML_LOCK.replace("package", "packages"), "pyproject.toml": PYPROJECT}, "yes"),
        ({"uv.lock": '[[package]]\nname = "six"\nversion = "1.0"\n', "pyproject.toml": PYPROJECT}, "no"),
        ({"Pipfile.lock": '{"_meta": {}, "default": {"numpy": {"version": "==2.4.6"}}, "develop": {}}'}, "yes"),
        ({"Pipfile.lock": '{"_meta": {}, "default": {}, "develop": {}}'}, "no"),
        ({"Pipfile.lock": "{"}, "no"),
        ({"conda-lock.yml": "version: 1\npackage:\n- name: numpy\n  version: 2.4.6\n  manager: conda\n"}, "yes"),
        ({"conda-lock.yml": "version: 1\npackage: []\n"}, "no"),
        ({"pixi.lock": "version: 6\npackages:\n- conda: https://x/linux-64/numpy-2.4.6-py311_0.conda\n"}, "yes"),
    ],
)
def test_a_lock_file_names_what_it_locks(files: dict[str, str], value: str):
    assert asked(files)["has_lockfile"] == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (".python-version", "3.11\n", True),
        (".python-version", "# of this house\npypy3.10-7.3\n", True),
        (".python-version", "# pinned at 3.11\n", False),
        (".python-version", "", False),
        (".python-version", "0.1\n", False),
        (".python-version", "13.2\n", False),
        ("runtime.txt", "python-3.12.4\n", True),
        ("runtime.txt", "python-3.11.9\n", True),
        (".tool-versions", "nodejs 20\npython 3.11.9\n", True),
        (".tool-versions", "nodejs 20\n", False),
    ],
)
def test_a_file_for_the_python_names_one(name: str, text: str, said: bool):
    found = rules_found({"train.py": "print(1)\n", name: text})
    assert ("python-version-unstated" not in found) == said


def test_bases_of_images():
    for base, value in (
        ("python", "no"),
        ("python:latest", "no"),
        ("python:3.11", "partial"),
        (f"python@sha256:{'a' * 64}", "yes"),
    ):
        assert asked({"Dockerfile": f"FROM {base}\n"})["docker_base_pinned"] == value


def test_paths_of_a_machine_placeholders_and_temporary_files():
    for path, value in (("/mnt/disk/data", "yes"), ("/path/to/data", "partial"), ("/tmp/x", "no"), ("data/x", "no")):
        assert asked({"a.py": f"print(open('{path}'))\n"})["absolute_paths"] == value


def test_distributed_training_and_reduction():
    ddp = "import torch\nfrom torch.nn.parallel import DistributedDataParallel as D\n\nm = D(torch.nn.Linear(1, 1))\n"
    assert asked({"a.py": ddp})["uses_distributed"] == "yes"
    assert (
        asked({"a.py": "import torch\n\nmodel = torch.nn.DataParallel(torch.nn.Linear(1, 1))\n"})["uses_distributed"]
        == "partial"
    )
    reduce = "import torch.distributed as dist\n\n\ndef mean(x):\n    dist.all_reduce(x)\n"
    assert asked({"a.py": reduce})["uses_all_reduce"] == "yes"


def test_a_method_that_is_given_nothing_is_asked_about_itself():
    text = "class A:\n    def run(self):\n        if self is not None:\n            print(1)\n\n\nA.run()\n"
    assert audit(repository({"a.py": text})).signals["seed_torch"].value == "na"
