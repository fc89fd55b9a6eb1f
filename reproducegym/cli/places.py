"""Finds the one paper or task that a command line means."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import AmbiguousError, MisuseError, NotFoundError
from reproducegym.pipeline.files import is_file
from reproducegym.pipeline.store import PaperStore, open_paper, open_task, papers

__all__ = ["AttemptPlace", "TaskPlace", "all_tasks", "find_attempt", "find_task", "find_tasks"]


@dataclass(frozen=True)
class TaskPlace:
    """A task of a paper."""

    store: PaperStore
    claim_id: str
    spec_hash: str


@dataclass(frozen=True)
class AttemptPlace:
    """An attempt at a task."""

    task: TaskPlace
    number: int


def find_task(
    *, claim_id: str | None, spec_hash: str | None, task_dir: Path | None, paper: Path | None, runs: Path
) -> TaskPlace:
    """The task that is named by a directory, or by a claim id (and hash), in one paper or in all below `runs`.

    Raises:
        MisuseError: neither or both were given.
        NotFoundError: there is no such paper, claim or hash; the message lists what there is.
        AmbiguousError: several papers or versions fit.
    """
    if (claim_id is None) == (task_dir is None):
        raise MisuseError("name the task with --claim-id (and --spec-hash), or with --task-dir; one of the two")
    if task_dir is not None:
        return TaskPlace(*open_task(task_dir))
    wanted = claim_id or ""
    if paper is not None:
        store = open_paper(paper)
    else:
        found = [PaperStore(runs, name) for name in papers(runs)]
        having = [one for one in found if wanted in one.claims()]
        if not having:
            tasks = ", ".join(sorted(f"{one.paper_id}/{claim}" for one in found for claim in one.claims()))
            raise NotFoundError(f"no paper below {runs} has a task {wanted!r}; there are: {tasks or 'none'}")
        if len(having) > 1:
            fitting = ", ".join(str(one.root) for one in having)
            raise AmbiguousError(f"several papers have a task {wanted}; name one with --paper: {fitting}")
        store = having[0]
    return TaskPlace(store, *store.find_task(wanted, spec_hash))


def find_tasks(
    *,
    claim_ids: Sequence[str],
    spec_hash: str | None,
    task_dirs: Sequence[Path],
    every: bool,
    paper: Path | None,
    runs: Path,
) -> tuple[TaskPlace, ...]:
    """The tasks that are named, by claims, directories or as all that there are, each once.

    Raises:
        MisuseError: none were named or in more than one way, or they don't stand below one directory.
        NotFoundError: there is no such paper, claim or hash; the message lists what there is.
        AmbiguousError: several papers or versions fit.
    """
    if every:
        if claim_ids or task_dirs or spec_hash is not None:
            raise MisuseError("--all takes every task; leave --claim-id, --spec-hash and --task-dir out")
        return all_tasks(paper=paper, runs=runs)
    if spec_hash is not None and len(claim_ids) > 1:
        raise MisuseError("--spec-hash is of one claim; name versions of several with --task-dir")
    if (claim_ids and task_dirs) or not (claim_ids or task_dirs):
        raise MisuseError("name tasks with --claim-id (and --spec-hash), with --task-dir, or with --all; one of them")
    named: list[tuple[str | None, Path | None]] = [(claim, None) for claim in claim_ids]
    named += [(None, directory) for directory in task_dirs]
    found = [
        find_task(claim_id=claim, spec_hash=spec_hash, task_dir=directory, paper=paper, runs=runs)
        for claim, directory in named
    ]
    if len({place.store.out.resolve() for place in found}) > 1:
        raise MisuseError("the tasks of one run stand below one directory of papers; run the others apart")
    once = {(place.store.paper_id, place.claim_id, place.spec_hash): place for place in found}
    return tuple(once.values())


def all_tasks(*, paper: Path | None, runs: Path) -> tuple[TaskPlace, ...]:
    """Every task of the last build of one paper, or of all below `runs`.

    Raises:
        NotFoundError: there is none.
    """
    stores = [open_paper(paper)] if paper is not None else [PaperStore(runs, name) for name in papers(runs)]
    found = [TaskPlace(store, task.claim_id, task.spec_hash) for store in stores for task in store.manifest().tasks]
    if not found:
        raise NotFoundError(f"there is no task below {paper or runs}; run build_claim_tasks.py first")
    return tuple(found)


def find_attempt(directory: Path) -> AttemptPlace:
    """The attempt that stands at `runs/<paper>/04-run/<claim_id>/<spec_hash>/<NNN>`.

    Raises:
        NotFoundError: no attempt stands there.
    """
    resolved = directory.resolve()
    if not is_file(resolved / "result.json") or len(resolved.parts) < 6 or resolved.parts[-4] != "04-run":
        raise NotFoundError(f"{directory} is not an attempt (runs/<paper>/04-run/<claim_id>/<spec_hash>/<NNN>)")
    store = open_paper(resolved.parents[3])
    return AttemptPlace(TaskPlace(store, resolved.parts[-3], resolved.parts[-2]), int(resolved.name))
