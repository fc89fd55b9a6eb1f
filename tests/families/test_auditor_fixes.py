"""Fixes are graded by running them: what earns credit, what does not, and what no cheat gets."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from small_experiment import FLOATS, THREADS, UNSEEDED, UNSORTED, damaged, edits, experiment, number_of

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.errors import InfrastructureError
from reproducegym.families.auditor.executing.checking import checked
from reproducegym.families.auditor.executing.circumstances import FIRST
from reproducegym.families.auditor.executing.court import Court
from reproducegym.families.auditor.executing.double import double_run
from reproducegym.families.auditor.executing.grading import Grades, grade
from reproducegym.families.auditor.executing.patches import Fix
from reproducegym.families.auditor.executing.references import References
from reproducegym.families.auditor.executing.running import run_once
from reproducegym.planting.edit import Edit
from reproducegym.planting.plant import Damaged
from reproducegym.ports import SandboxBox, SandboxSpec
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox

CIRCUMSTANCES = """
import datetime, glob, json, os, random, time
from pathlib import Path

def order(names):
    return sum(place * ord(Path(name).stem) for place, name in enumerate(names))

Path("out").mkdir()
for name in "xyz":
    Path("out", name).write_text(name)
listed = [os.listdir("data"), glob.glob("data/*"), [p.name for p in Path("data").iterdir()], next(os.walk("data"))[2]]
told = {f"listed {n}": order(names) for n, names in enumerate(listed)}
told |= {"made by itself": order(os.listdir("out")), "hash": hash("text"), "pid": os.getpid()}
told |= {"clock": int(time.time()) // 86400, "day": datetime.date.today().toordinal(), "home": len(os.environ["HOME"])}
told |= {"read": time.clock_gettime(0) // 86400, "read in ns": time.clock_gettime_ns(time.CLOCK_REALTIME) // 10**15}
told |= {"moment": datetime.datetime.now().year * 400 + datetime.datetime.now().timetuple().tm_yday}
told |= {"formatted": int(time.strftime("%j")), "cwd": len(os.getcwd()), "chance": random.randrange(10**9)}
told |= {"written": os.stat("data/p.txt").st_mtime, "hosts": int(os.path.exists("/work"))}
same = {"sorted": order(sorted(os.listdir("data"))), "processors": len(os.sched_getaffinity(0))}
same |= {"program seen": int(any(Path(p, "reproducegym").exists() for p in os.sys.path))}
same |= {"is a moment": int(isinstance(datetime.datetime.fromtimestamp(0), datetime.date))}
Path("out/metrics.json").write_text(json.dumps(told | same))
Path("out/weights.json").write_text("[]")
"""


@pytest.fixture(scope="module")
def court() -> Court:
    """Namespaces, two runs at once."""
    sandbox = NamespacesSandbox()
    available = sandbox.availability()
    if not available.works:
        pytest.skip(available.detail)
    return Court(sandbox, "reproducegym/base", LocalExecutor(2), pids=32, workspace_mib=16, file_mib=4)


@pytest.fixture(scope="module")
def references() -> References:
    """The clean experiment is run once for all tests."""
    return References()


def test_two_runs_differ_in_all_that_must_not_matter_and_in_nothing_else(court: Court):
    double = double_run(court, experiment(train=CIRCUMSTANCES), experiment(train=CIRCUMSTANCES).files, other_seed=False)
    first, second = double.first.ran.numbers, double.second.ran.numbers
    assert double.failed is None
    alike = {name for name in first if first[name] == second[name]}
    assert alike == {"sorted", "processors", "program seen", "is a moment", "hosts"}
    assert (first["processors"], first["program seen"], first["hosts"], first["is a moment"]) == (1, 0, 0, 1)


def test_what_undoes_each_defect_earns_all_in_one_trial(court: Court, references: References):
    found = damaged(UNSORTED, UNSEEDED, THREADS, FLOATS)
    grades = grade(court, references, found, [Fix(planted=n, edits=one.fix) for n, one in enumerate(found.planted)])
    assert [one.reason for one in grades.fixes] == ["earned"] * 4
    assert (grades.trials, grades.failure_kind) == (1, None)


def test_a_fix_that_works_is_paid_beside_one_that_does_not(court: Court, references: References):
    found = damaged(UNSORTED, UNSEEDED)
    good, bad = number_of(found, "records.py"), number_of(found, "train.py")
    fixes = [
        Fix(planted=bad, edits=edits(found, "train.py", "random.Random()", "random.Random(None)")),
        Fix(planted=good, edits=edits(found, "records.py", "os.listdir(place)", "sorted(set(os.listdir(place)))")),
    ]
    grades = grade(court, references, found, fixes)
    assert [(one.earned, one.reason, one.alone) for one in grades.fixes] == [
        (False, "not_equal", True),
        (True, "earned", True),
    ]


def test_a_flag_that_no_run_shows_is_looked_for_in_the_process(court: Court, references: References):
    found = damaged(THREADS, FLOATS)
    threads, floats = number_of(found, "train.py"), number_of(found, "requirements.txt")
    late = edits(found, "train.py", "points = read", 'os.environ["OMP_NUM_THREADS"] = "1"\npoints = read')
    comment = edits(found, "requirements.txt", "numpy", "numpy  # pinned at 2.4.6")
    grades = grade(court, references, found, [Fix(planted=threads, edits=late), Fix(planted=floats, edits=comment)])
    assert [one.reason for one in grades.fixes] == ["effect_remains", "effect_remains"]
    assert "environ.random.OMP_NUM_THREADS" in grades.fixes[0].detail


FORGED = """import os
TOLD = b'0123 {"environ.random.OMP_NUM_THREADS": "1", "environ.end.OMP_NUM_THREADS": "1"}\\n'
for one in range(3, 20):
    try: os.write(one, TOLD); os.close(one)
    except OSError: pass
import argparse"""

CHEATS = {
    "deleted randomness": ("random.Random()", "random.Random(7)", "seed_ignored"),
    "a seed for show": ("error = sum", "mean = 6.0 + parser.parse_args().seed * 1e-9\nerror = sum", "seed_ignored"),
    "constant metrics": ('{"error": error}', '{"error": 100.0}', "metric_off"),
    "typed metrics": ('{"error": error}', '{"error": ERROR}', "check_failed"),
    "ended before it ran": ("import json", "import json, os; os._exit(0)", "broken"),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_no_cheat_is_paid(cheat: str, court: Court, references: References):
    old, new, reason = CHEATS[cheat]
    found = damaged(UNSEEDED)
    clean = references.clean(court, found.project).first.ran.numbers["error"]
    seeded = ("random.Random()", "random.Random(parser.parse_args().seed)")
    changed = {file: text.replace(old, new.replace("ERROR", f"{clean + 0.5}")) for file, text in found.files.items()}
    changed["train.py"] = changed["train.py"].replace(*seeded)
    grades = _graded(court, references, found, changed["train.py"])
    assert [(one.earned, one.reason) for one in grades.fixes] == [(False, reason)]


def test_a_forged_state_is_not_believed(court: Court, references: References):
    found = damaged(THREADS)
    grades = _graded(court, references, found, found.files["train.py"].replace("import argparse", FORGED))
    assert [one.reason for one in grades.fixes] == ["effect_remains"]


def test_a_fix_is_bounded_before_anything_runs(court: Court, references: References):
    found = damaged(UNSEEDED)
    planted = found.planted[0]
    line = planted.first_line
    tries = [
        ("not_allowed", Edit(file="data/p.txt", first_line=1, last_line=1, text="0\n")),
        ("too_large", Edit(file="train.py", first_line=line, last_line=line, text="pass\n" * 20)),
        ("unchanged", Edit(file="train.py", first_line=1, last_line=1, text=found.files["train.py"].split("\n")[0])),
        ("malformed", Edit(file="train.py", first_line=900, last_line=901, text="pass\n")),
        ("malformed", Edit(file="../x.py", first_line=1, last_line=0, text="1")),
    ]
    for reason, edit in tries:
        grades = grade(court, references, found, [Fix(planted=0, edits=(edit,))])
        assert ([one.reason for one in grades.fixes], grades.trials) == ([reason], 0)


HOSTILE = {
    "fork bomb": (
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass\n",
        {"timeout", "nonzero_exit"},
    ),
    "a file without end": ('open("big", "wb").write(bytes(64 << 20))\n', {"nonzero_exit"}),
    "a full disk": ('[open(str(n), "wb").write(bytes(3 << 20)) for n in range(99)]\n', {"nonzero_exit"}),
    "the watcher killed": ("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n", {"nonzero_exit"}),
    "linked weights": ('import os\nos.mkdir("out"); os.symlink("/etc/passwd", "out/weights.json")\n', {"refused"}),
    "deep weights": (
        'import os\nos.mkdir("out"); [open(f"out/{n}.json", "w").write("[" * 10**6) for n in ("weights", "metrics")]\n',
        {"refused"},
    ),
    "a process left": ("import os\nif os.fork() == 0:\n    while True: pass\n", {"no_output"}),
    "memory": ("x = bytearray(3 << 30)\n", {"out_of_memory", "nonzero_exit"}),
}


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_program_ends_as_its_own_failure(attack: str, court: Court):
    program, outcomes = HOSTILE[attack]
    project = experiment(train=program)
    left = run_once(replace(court, longest_s=2.0), project, project.files, FIRST)
    assert left.ran.outcome in outcomes, left.ran
    assert left.files == {}


def test_checks_and_the_other_run_are_nowhere_to_be_found(court: Court):
    search = (
        "import json, os\n"
        "seen = [os.path.join(d, f) for top in ('/workspace', '/runner', '/perturbed', '/tmp', '/packages')\n"
        "        for d, _, fs in os.walk(top) for f in fs if 'project/' not in d + '/']\n"
        "me = open(f'/proc/{os.getppid()}/cmdline').read()\n"
        "try: os.listdir(f'/proc/{os.getppid()}/fd'); opened = 1\n"
        "except OSError: opened = 0\n"
        "os.mkdir('out'); open('out/weights.json', 'w').write(json.dumps([sorted(seen), me]))\n"
        "open('out/metrics.json', 'w').write(json.dumps({'error': 1, 'opened': opened}))\n"
    )
    project = experiment(train=search)
    left = run_once(court, project, project.files, FIRST)
    assert left.ran.numbers == {"error": 1.0, "opened": 0.0}
    assert b"error.py" not in left.files["out/weights.json"]
    assert left.files["out/weights.json"].startswith(b'[["/perturbed/sitecustomize.py", "/runner/begin.py"], "python3')


def test_checks_run_beside_the_clean_files_alone(court: Court):
    outputs = {"out/weights.json": b'{"mean": 1.0}', "out/metrics.json": b'{"error": 1.0}'}
    other = {**outputs, "out/weights.json": b'{"mean": 2.0}'}
    wrong = checked(court, experiment(), (outputs, other), (outputs, other))
    assert (wrong.verdict, "the error is not that of the weights" in wrong.detail) == ("check_failed", True)


class Broken:
    """An engine that makes no sandbox."""

    name = "broken"

    @contextlib.contextmanager
    def create(self, spec: SandboxSpec) -> Iterator[SandboxBox]:
        raise InfrastructureError("the engine is gone")
        yield


def test_a_file_that_no_rule_can_read_any_more_is_broken_and_not_mended(court: Court, references: References):
    found = damaged(("train.py", "import random\n", "import random\nspare = random.Random()\n", "structural", "x"))
    change = edits(found, "train.py", "spare = random.Random()", "spare = random.Random((")
    grades = grade(court, references, found, [Fix(planted=0, edits=change)])
    assert [(one.earned, one.reason) for one in grades.fixes] == [(False, "broken")]
    assert (grades.trials, grades.fixes[0].detail) == (0, "train.py can no longer be read as what its name says")


class Counting(NamespacesSandbox):
    """Namespaces that know how many sandboxes they made."""

    created = 0

    @contextlib.contextmanager
    def create(self, spec: SandboxSpec) -> Iterator[SandboxBox]:
        self.created += 1
        with super().create(spec) as box:
            yield box


SPARE = ("train.py", "import random\n", "import random\nspare = random.Random()\n", "dynamic", "generator-unseeded")


def test_runs_that_may_agree_by_chance_are_repeated_where_the_rule_sees_no_change(court: Court, references: References):
    found = damaged(SPARE)
    references.clean(court, found.project)
    undone = found.planted[0].fix
    comment = edits(found, "train.py", "spare = random.Random()", "spare = random.Random()  # seeded")
    for change, runs in ((undone, 3), (comment, 9)):
        counting = Counting()
        grades = grade(replace(court, sandbox=counting), references, found, [Fix(planted=0, edits=change)])
        assert [one.reason for one in grades.fixes] == ["earned"]
        assert counting.created - 1 == runs  # one checks what they left


def test_an_engine_that_fails_gives_no_grade_at_all(court: Court):
    found = damaged(UNSEEDED)
    fixes = [Fix(planted=0, edits=found.planted[0].fix)]
    grades = grade(replace(court, sandbox=Broken()), References(), found, fixes)
    assert (grades.fixes, grades.failure_kind) == ((), "infra")
    assert "the engine failed 3 times: the engine is gone" in grades.detail


@pytest.mark.docker
def test_docker_grades_as_namespaces_do(docker_image: str):
    court = Court(DockerSandbox(), docker_image, LocalExecutor(2))
    found = damaged(UNSORTED)
    grades = grade(court, References(), found, [Fix(planted=0, edits=found.planted[0].fix)])
    assert ([one.reason for one in grades.fixes], grades.trials) == (["earned"], 1)


def _graded(court: Court, references: References, found: Damaged, train: str) -> Grades:
    """The grade of a fix that leaves this text in train.py."""
    changed = edits(found, "train.py", found.files["train.py"], train)
    return grade(court, references, found, [Fix(planted=0, edits=changed)])
