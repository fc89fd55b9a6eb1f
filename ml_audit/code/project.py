"""Everything that signals and rules read about one repository, each thing worked out once."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import PurePosixPath
from typing import Literal, TypeVar
from weakref import WeakKeyDictionary

from ml_audit.code.facts import MAIN, Call, Facts, Guard
from ml_audit.code.graph import Graph, Scope
from ml_audit.code.names import ModuleIndex, resolve_names
from ml_audit.code.parsing import Module, parse_notebook, parse_python
from ml_audit.code.training import is_training_step
from ml_audit.code.values import Values
from ml_audit.code.visitor import visit
from ml_audit.repository import Repository, is_auxiliary, is_test
from ml_audit.texts.commands import Command, commands_of_document, commands_of_pipeline, commands_of_script
from ml_audit.texts.dependencies import Environment, environments
from ml_audit.texts.settings import FileSettings, is_settings_file, settings_of

__all__ = ["Entry", "Project", "once"]

T = TypeVar("T")

Role = Literal["main", "test", "aside"]
_LICENCE = re.compile(r"^(licen[cs]e|copying)([.-].*)?$", re.IGNORECASE)
_TARGETS = ("_target_", "target", "class", "class_path", "_class_", "cls")
_NEVER_RUN = {"setup.py", "conftest.py", "conf.py", "__init__.py", "hubconf.py"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A place where somebody starts the code, what is reached from it by default, and what may be."""

    scope: Scope
    surely: frozenset[Scope]
    maybe: frozenset[Scope]
    trains: bool
    told: bool

    @property
    def path(self) -> str:
        """The file that is started."""
        return self.scope[0]


def once(make: Callable[["Project"], T]) -> Callable[["Project"], T]:
    """A function of a project that is worked out once for each."""
    known: WeakKeyDictionary[Project, T] = WeakKeyDictionary()

    @wraps(make)
    def told(project: "Project") -> T:
        if project not in known:
            known[project] = make(project)
        return known[project]

    return told


class Project:
    """A repository, read. Pure: the same files give the same answers."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.sizes = repository.sizes()
        self._roles: dict[str, Role] = {}
        self.texts = {
            path: content.decode("utf-8", errors="replace")
            for path, content in repository.files.items()
            if not path.endswith((".py", ".ipynb"))
        }
        self.modules: dict[str, Module] = {}
        for path, content in repository.files.items():
            if path.endswith(".py"):
                self.modules[path] = parse_python(path, content)
            elif path.endswith(".ipynb") and ".ipynb_checkpoints" not in path:
                self.modules[path] = parse_notebook(path, content)
        self.facts: dict[str, Facts] = {path: visit(module) for path, module in self.modules.items()}
        self.index = ModuleIndex(self.modules)
        resolve_names(self.facts, self.index)
        self.settings = FileSettings(
            told for path, text in self.texts.items() if is_settings_file(path) for told in settings_of(path, text)
        )
        targets = [t.value for key in _TARGETS for t in self.settings.places(key)]
        named = {t for t in targets if isinstance(t, str) and re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+", t)}
        self.graph = Graph(self.facts, self.index, sorted(named))
        self.values = Values(self.facts, self.graph, self.settings)

    def role(self, path: str) -> Role:
        """Whether a file is part of the main code, a test, or put aside."""
        if path not in self._roles:
            aside = is_auxiliary(path) or path.startswith(self.vendored)
            self._roles[path] = "test" if is_test(path) else "aside" if aside else "main"
        return self._roles[path]

    @cached_property
    def vendored(self) -> tuple[str, ...]:
        """Directories of other projects: with a licence of their own, or named as submodules."""
        found = [
            f"{PurePosixPath(p).parent}/" for p in self.sizes if "/" in p and _LICENCE.match(PurePosixPath(p).name)
        ]
        for told in re.findall(r"^\s*path\s*=\s*(\S+)", self.texts.get(".gitmodules", ""), re.MULTILINE):
            found.append(f"{told.rstrip('/')}/")
        own = [d for d in found if any(p.startswith(d) and p.endswith(".py") for p in self.modules)]
        outside = [p for p in self.modules if p.endswith(".py") and not p.startswith(tuple(own))] if own else []
        return tuple(sorted(own)) if outside else ()

    @cached_property
    def roles(self) -> dict[str, Role]:
        """The role of every code file."""
        return {path: self.role(path) for path in self.facts}

    def calls(self, *, tests: bool = False, aside: bool = False) -> Iterator[tuple[str, Call]]:
        """All calls of the main code, in the order of files and lines."""
        for path, facts in self.facts.items():
            role = self.roles[path]
            if role == "main" or (tests and role == "test") or (aside and role == "aside"):
                yield from ((path, call) for call in facts.calls)

    @cached_property
    def main_facts(self) -> dict[str, Facts]:
        """The facts of the main code."""
        return {path: facts for path, facts in self.facts.items() if self.roles[path] == "main"}

    @cached_property
    def readmes(self) -> list[str]:
        """READMEs, the root's first."""
        named = [p for p in self.sizes if PurePosixPath(p).name.lower().split(".")[0] == "readme"]
        return sorted(named, key=lambda p: (p.count("/"), p))

    @cached_property
    def documents(self) -> list[str]:
        """All documents in Markdown or reStructuredText that were read, READMEs first."""
        other = [p for p in self.texts if p.lower().endswith((".md", ".rst")) and p not in self.readmes]
        return [p for p in (*self.readmes, *sorted(other, key=lambda p: (p.count("/"), p))) if p in self.texts]

    @cached_property
    def commands(self) -> list[Command]:
        """Commands of documents, scripts and pipelines."""
        found: list[Command] = []
        for path in self.documents:
            found += commands_of_document(path, self.texts[path])
        for path, text in self.texts.items():
            name = PurePosixPath(path).name.lower()
            if path.endswith((".sh", ".bash", ".slurm", ".sbatch")) or name == "makefile":
                found += commands_of_script(path, text)
            elif name in ("dvc.yaml", "dvc.yml"):
                found += commands_of_pipeline(path, text)
        return found

    @cached_property
    def environments(self) -> list[Environment]:
        """Files that declare dependencies, the main one first."""
        return environments(self.repository.files)

    def named_by_command(self, command: Command) -> str | None:
        """The file of the repository that a command runs."""
        if command.module:
            return self.index.find(command.module, "") or self.index.find(f"{command.module}.__main__", "")
        if not command.script:
            return None
        wanted = command.script.lstrip("./")
        fits = [p for p in self.modules if p == wanted or p.endswith(f"/{wanted}")]
        return min(fits, key=lambda p: (p.count("/"), p)) if fits else None

    @cached_property
    def entries(self) -> list[Entry]:
        """Where people start the code: main blocks, scripts, notebooks, and what commands name; tests are none."""
        told = {path for c in self.commands if (path := self.named_by_command(c)) is not None}
        found = []
        for path, facts in self.facts.items():
            if self.roles[path] != "main" or PurePosixPath(path).name in _NEVER_RUN - {"__init__.py"}:
                continue
            if facts.has_main:
                scope = (path, MAIN)
            elif path.endswith(".ipynb") or path in told or self._is_script(facts):
                scope = (path, "")
            else:
                continue
            surely = self.graph.reach(scope, self._passes)
            maybe = self.graph.reach(scope, lambda *_: True)
            trains = any(s in self._training for s in maybe)
            found.append(Entry(scope, frozenset(surely), frozenset(maybe), trains, path in told))
        return found

    @cached_property
    def main_entries(self) -> list[Entry]:
        """Entries that train something; if none does, all entries; scripts before notebooks."""
        training = [e for e in self.entries if e.trains]
        scripts = [e for e in training if not e.path.endswith(".ipynb")]
        return scripts or training or [e for e in self.entries if not e.path.endswith(".ipynb")] or self.entries

    @cached_property
    def training_steps(self) -> list[tuple[str, Call]]:
        """Calls by which parameters are updated."""
        return [(path, c) for path, c in self.calls() if is_training_step(c)]

    @cached_property
    def _training(self) -> set[Scope]:
        return {(path, call.scope) for path, call in self.training_steps}

    def _passes(self, where: Scope, guards: tuple[Guard, ...]) -> bool:
        return all(self.values.holds(g, where) != "no" for g in guards)

    def _is_script(self, facts: Facts) -> bool:
        if facts.path in self.graph.imported or PurePosixPath(facts.path).name in _NEVER_RUN:
            return False
        return any(
            not c.scope and c.name not in ("logging.getLogger", "setup", "setuptools.setup") for c in facts.calls
        )

    def first(self, places: Iterable[tuple[str, Call]], most: int = 60) -> list[tuple[str, int]]:
        """Files and lines of calls, each line once."""
        return list(dict.fromkeys((path, call.line) for path, call in places))[:most]
