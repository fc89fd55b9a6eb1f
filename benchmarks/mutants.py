"""`python -m benchmarks.mutants [COUNT] [MODULE …] [FILE]`: breaks what decides pay, a little; do tests notice?"""

import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import Phase, is_hypothesis_test, settings

from benchmarks.mutations import Place, graft, mutation, places

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = _ROOT / "reproducegym"
_SUITES = {
    "verifier/formula.py": ("formula", "contract", "golden"),
    "verifier/evaluate.py": ("formula", "golden", "edges", "properties"),
    "verifier/curve.py": ("contract", "golden", "edges", "submissions", "properties"),
    "verifier/table.py": ("edges", "golden", "submissions", "properties"),
    "verifier/consistency.py": ("edges", "golden", "submissions", "properties"),
    "verifier/score.py": ("edges", "golden", "submissions", "properties"),
    "verifier/contract.py": ("contract", "golden", "submissions"),
    "verifier/__main__.py": ("program", "golden"),
}
_SUITES = {module: tuple(f"verifier/test_verifier_{name}.py" for name in names) for module, names in _SUITES.items()}
_SUITES["pipeline/targets/curves.py"] = ("pipeline/test_curves.py",)
_SUITES["pipeline/targets/tolerance.py"] = ("pipeline/test_tolerance.py",)
"""Each module, and the files of tests that answer for it."""
_LEFT_OUT = "not million and not starts_fast and not small_enough"
_FEW = 15
"""Hypothesis examples of the first try; a mutant that lives through it meets the whole number."""
_TIMEOUT_S = 300


@dataclass(frozen=True)
class _Trial:
    module: str
    place: Place | None

    def __str__(self) -> str:
        source = (_PACKAGE / self.module).read_text("utf-8")
        return self.module if self.place is None else f"{self.module}:{mutation(source, self.place).what}"


class _Mutants:
    """Instead of running the collected tests once, runs them for each mutant, in a process forked from here."""

    def __init__(self, trials: Sequence[_Trial], jobs: int, scratch: Path) -> None:
        self._trials, self._jobs, self._scratch = trials, jobs, scratch
        self._running: dict[int, tuple[_Trial, float]] = {}
        self.killed, self.tried = Counter[str](), Counter[str]()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All trials, so many at a time; a module whose own tests fail ends it all."""
        for module in {trial.module: None for trial in self._trials}:
            self._start(session, _Trial(module, None))
            if self._ended():
                pytest.exit(f"the tests of {module} fail without any mutant", 1)
        for trial in self._trials:
            while len(self._running) >= self._jobs:
                self._count()
            self._start(session, trial)
        while self._running:
            self._count()
        return True

    def _start(self, session: pytest.Session, trial: _Trial) -> None:
        child = os.fork()
        if child:
            self._running[child] = (trial, time.monotonic() + _TIMEOUT_S)
            return
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        failed = 2
        try:
            failed = int(_noticed(session, trial, self._scratch / str(os.getpid())))
        finally:
            os._exit(failed)

    def _count(self) -> None:
        trial = next(iter(self._running.values()))[0]
        self.tried[trial.module] += 1
        died = self._ended()
        self.killed[trial.module] += died
        if not died:
            _say(f"survived: {trial}")

    def _ended(self) -> bool:
        """Wait for the oldest child: whether a test failed, or did not end."""
        child, (_, until) = next(iter(self._running.items()))
        ended, status = os.waitpid(child, os.WNOHANG)
        while not ended and time.monotonic() < until:
            time.sleep(0.02)
            ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
        del self._running[child]
        shutil.rmtree(self._scratch / str(child), ignore_errors=True)
        return not ended or status != 0


def _noticed(session: pytest.Session, trial: _Trial, place: Path) -> bool:
    """Whether a test fails once the module is broken, in memory and in the files of the one-file judge."""
    if trial.place is not None:
        from reproducegym.verifier import bundle

        source = (_PACKAGE / trial.module).read_text("utf-8")
        broken = mutation(source, trial.place).source

        shutil.copytree(_PACKAGE / "verifier", place / "verifier", ignore=shutil.ignore_patterns("__pycache__"))
        if trial.module.startswith("verifier/"):
            (place / trial.module).write_text(broken, "utf-8")
        bundle.__file__ = str(place / "verifier" / "bundle.py")
        name = f"reproducegym.{trial.module.removesuffix('.py').replace('/', '.')}"
        graft(sys.modules[name], source, broken)
    suite = _SUITES[trial.module]
    own = {str(_ROOT / "tests" / name): at for at, name in enumerate(suite)}
    items = sorted((item for item in session.items if str(item.path) in own), key=lambda item: own[str(item.path)])
    drawn = [item for item in items if is_hypothesis_test(getattr(item, "obj", None))]
    plain = [item for item in items if item not in drawn]
    phases = (Phase.explicit, Phase.generate)  # that a test fails is enough
    settings.register_profile("few", deadline=None, derandomize=True, phases=phases, max_examples=_FEW)
    settings.register_profile("many", deadline=None, derandomize=True, phases=phases)
    steps = [("few", item) for item in plain + drawn] + [("many", item) for item in drawn]
    for (profile, item), (_, following) in zip(steps, [*steps[1:], steps[0]], strict=True):
        settings.load_profile(profile)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return True
    return False


def main() -> int:
    """Try all mutants, or COUNT of them, of each module its share; print the survivors and the shares killed.

    FILE holds the survivors of an earlier run: only they are tried again.

    `JOBS` says how many are tried at a time.
    """
    numbers = [one for one in sys.argv[1:] if one.isdigit()]
    modules = [one for one in sys.argv[1:] if one in _SUITES] or list(_SUITES)
    trials = _sample(modules, int(numbers[0]) if numbers else None)
    for listed in (Path(one) for one in sys.argv[1:] if Path(one).is_file()):
        again = {line.removeprefix("survived: ") for line in listed.read_text("utf-8").splitlines()}
        trials = [trial for trial in trials if str(trial) in again]
    tests = dict.fromkeys(name for module in modules for name in _SUITES[module])
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        plugin = _Mutants(trials, int(os.environ.get("JOBS", "1")), Path(scratch))
        options = ["-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-k", _LEFT_OUT, "--rootdir", str(_ROOT)]
        ended = pytest.main([*options, *(str(_ROOT / "tests" / name) for name in tests)], plugins=[plugin])
    for module in modules:
        _say(f"{module}: killed {plugin.killed[module]} of {plugin.tried[module]}")
    killed, tried = plugin.killed.total(), plugin.tried.total()
    _say(f"killed {killed} of {tried} mutants ({killed / max(tried, 1):.1%}) in {time.monotonic() - began:.0f} s")
    return int(ended not in (0, pytest.ExitCode.NO_TESTS_COLLECTED))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _sample(modules: list[str], count: int | None) -> list[_Trial]:
    """All mutants, or as many as asked, drawn the same way every time and from each module in proportion."""
    known = {module: places((_PACKAGE / module).read_text("utf-8")) for module in modules}
    size = sum(map(len, known.values()))
    draw = random.Random(1)  # noqa: S311 - a sample, no secret
    trials = []
    for module, found in known.items():
        share = len(found) if count is None else min(len(found), round(count * len(found) / size))
        trials += [_Trial(module, one) for one in draw.sample(found, share)]
    return trials


if __name__ == "__main__":
    raise SystemExit(main())
