"""A set of tasks: chosen, split, sampled and written, always a new set."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from pathlib import Path
from typing import Literal, Never, overload

from reproducegym.dataset.choosing import FILTERS, Wanted, Words, fitting
from reproducegym.dataset.drawing import balanced, shares, shuffled
from reproducegym.dataset.rows import needs_pyarrow, write_rows
from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.pipeline.files import replacing
from reproducegym.pipeline.seal import check_digest
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.listed import ListedTask

__all__ = ["TaskSet"]


@dataclass(frozen=True)
class TaskSet(Sequence[ListedTask]):
    """Tasks in an order. `quarantined` are those that were left out, with their reasons; `runs` is the directory of
    papers that they were read from, None where they come from a file that stands alone.
    """

    tasks: tuple[ListedTask, ...]
    quarantined: tuple[ListedTask, ...] = field(default=(), repr=False)
    runs: Path | None = None

    @overload
    def __getitem__(self, place: int) -> ListedTask: ...
    @overload
    def __getitem__(self, place: slice) -> "TaskSet": ...
    def __getitem__(self, place: int | slice) -> "ListedTask | TaskSet":
        """One task by its place, or the set of a slice."""
        return replace(self, tasks=self.tasks[place]) if isinstance(place, slice) else self.tasks[place]

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self.tasks)

    def __iter__(self) -> Iterator[ListedTask]:
        """Every task, in order."""
        return iter(self.tasks)

    def __repr__(self) -> str:
        """In a word, however many there are."""
        return f"TaskSet(tasks={len(self.tasks)}, papers={len(self.papers)})"

    @property
    def papers(self) -> tuple[str, ...]:
        """Ids of the papers that tasks are of, sorted."""
        return tuple(sorted({task.paper_id for task in self.tasks}))

    def filter(
        self,
        *,
        evidence_level: Words = None,
        family: Words = None,
        cost: Words = None,
        difficulty: Words = None,
        claim_type: Words = None,
        exposure_policy: Words = None,
        licence: Words = None,
        paper: Words = None,
        task: Words = None,
        requires_gpu: bool | None = None,
        requires_training: bool | None = None,
        memory_resistant: bool | None = None,
        where: Callable[[ListedTask], bool] | None = None,
        **unknown: Never,
    ) -> "TaskSet":
        """The tasks that fit everything that is given: one word, or several of which any will do.

        Raises:
            MisuseError: a word, or the name of a filter, is unknown; the message lists those that there are. Or what is
                given is empty or no word, a mark is neither True nor False, or `where` is no function.
        """
        for name in unknown:
            raise MisuseError(f"filter {name!r} is unknown; there are: {', '.join((*FILTERS, 'where'))}")
        if where is not None and not callable(where):
            raise MisuseError(f"where is a function of a task, not {where!r}")
        wanted = Wanted(
            evidence_level=evidence_level,
            family=family,
            cost=cost,
            difficulty=difficulty,
            claim_type=claim_type,
            exposure_policy=exposure_policy,
            licence=licence,
            paper=paper,
            task=task,
            requires_gpu=requires_gpu,
            requires_training=requires_training,
            memory_resistant=memory_resistant,
        )
        found = fitting(self.tasks, wanted)
        return replace(self, tasks=found if where is None else tuple(one for one in found if where(one)))

    def split(self, fractions: Mapping[str, float], *, seed: int = 0) -> "dict[str, TaskSet]":
        """Sets by name, every paper whole in one of them; where a paper falls follows from its id and the seed alone.

        Papers of one file or one title fall together, where the first id falls. Fractions are of papers, as in
        `{"train": 0.9, "test": 0.1}`.

        Raises:
            MisuseError: they are no parts of one whole, or the seed is no whole number.
        """
        _needs_whole("seed", seed)
        found = shares(self.tasks, fractions, seed)
        return {name: replace(self, tasks=tuple(tasks)) for name, tasks in found.items()}

    def sample(self, count: int, *, seed: int = 0, by: Literal["task", "paper"] = "task") -> "TaskSet":
        """So many different tasks in a drawn order: each task as likely, or in rounds over papers.

        Raises:
            MisuseError: there are not so many; count or seed is no whole number.
        """
        _needs_whole("count", count)
        _needs_whole("seed", seed)
        if not 0 <= count <= len(self.tasks):
            raise MisuseError(f"{count} tasks cannot be sampled of {len(self.tasks)}")
        order = {"task": shuffled, "paper": balanced}
        if by not in tuple(order):
            raise MisuseError(f"by {by!r} is unknown; there are: {', '.join(order)}")
        return replace(self, tasks=tuple(order[by](self.tasks, seed)[:count]))

    def with_prompts(self) -> "TaskSet":
        """The same tasks with what agents are told, each read from a task directory whose digest is checked.

        Raises:
            NotFoundError: the directory of papers is not known, or a task does not stand there.
            TamperedError: a task differs from its digest.
        """
        return replace(self, tasks=tuple(self._told(task) for task in self.tasks))

    def to_jsonl(self, path: Path | str) -> None:
        """Write the tasks as rows of a JSONL file, whole or not at all.

        Raises:
            StorageError: it cannot be written.
        """
        with replacing(Path(path)) as begun:
            write_rows(self.tasks, begun)

    def to_parquet(self, path: Path | str) -> None:
        """Write the tasks as rows of a Parquet file, whole or not at all.

        Raises:
            MisuseError: the extra `datasets` is not installed.
            StorageError: it cannot be written.
        """
        needs_pyarrow("to write Parquet")
        from reproducegym.dataset.parquet import write_parquet

        with replacing(Path(path)) as begun:
            write_parquet(self.tasks, begun)

    def _told(self, task: ListedTask) -> ListedTask:
        if task.prompt is not None:
            return task
        if self.runs is None:
            raise NotFoundError(
                f"{task.task_id} has no prompt and its task directory is not known; name it: load_manifest(…, runs=DIR)"
            )
        store = PaperStore(self.runs, task.paper_id)
        files = store.read_task(task.claim_id, task.spec_hash)
        check_digest(files, task.task_digest, str(store.task_directory(task.claim_id, task.spec_hash)))
        return replace(task, prompt=files["input_files/task.md"].decode())


def _needs_whole(name: str, number: object) -> None:
    """Python's numbers and NumPy's; True is none, though Python counts it as 1."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise MisuseError(f"{name} is a whole number, not {number!r}")
