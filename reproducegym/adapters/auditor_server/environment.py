"""The environment that a WebSocket session of OpenEnv has to itself."""

import secrets
from collections.abc import Callable

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from reproducegym import __version__
from reproducegym.adapters.auditor_server.episodes import new_episode_id
from reproducegym.adapters.auditor_server.errors import BadRequestError, FinishedEpisodeError, UnknownTaskError
from reproducegym.adapters.auditor_server.wire import (
    AuditorAction,
    AuditorObservation,
    AuditorState,
    SessionReset,
    asked_for,
    begun,
    stepped,
)
from reproducegym.families.auditor.episode import Drawer, Episode, EpisodeOverError, level_of
from reproducegym.families.auditor.nouns import LEVELS, Level

__all__ = ["NAME", "TASKS", "AuditorEnvironment", "drawn_seed", "level_named", "made_by"]

NAME = "reproducibility-auditor"
TASKS = 1000
"""Tasks of a level in lists; task N has the seed N, and any other seed may be asked for too."""
_SEEDS = 2**31


class AuditorEnvironment(Environment[AuditorAction, AuditorObservation, AuditorState]):
    """One session: as many episodes as the client likes, one at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, drawer: Drawer) -> None:
        """Take who draws episodes."""
        super().__init__()
        self._drawer = drawer
        self._episode: Episode | None = None
        self._id: str | None = None
        self._over = False

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        split: str | None = None,
        index: int | None = None,
        **others: object,
    ) -> AuditorObservation:
        """Begin an episode: of a task and a seed, or of a split and an index in it.

        Raises:
            UnknownTaskError: there is no such task.
            BadRequestError: a field is unknown or of the wrong type.
            FinishedEpisodeError: the session was idle for too long.
        """
        self._wake()
        named = {"task": task, "seed": seed, "episode_id": episode_id, "split": split, "index": index}
        asked = asked_for(SessionReset, {**others, **named})
        level = level_named(asked.task or asked.split or LEVELS[0])
        number = drawn_seed(asked.index if asked.seed is None else asked.seed)
        self._episode = Episode(self._drawer.draw(level, number))
        self._id = asked.episode_id or new_episode_id()
        return begun(self._episode, self._id)

    def step(self, action: AuditorAction, timeout_s: float | None = None, **others: object) -> AuditorObservation:
        """Take one action.

        Raises:
            FinishedEpisodeError: no episode is in progress, or the session was idle for too long.
            InfrastructureError: fixes could not be run; the step may be sent again.
        """
        self._wake()
        if self._episode is None or self._id is None:
            raise FinishedEpisodeError("no episode has begun; send reset first")
        try:
            step = self._episode.step(action.to_json())
        except EpisodeOverError as error:
            raise FinishedEpisodeError(str(error)) from error
        return stepped(step, self._episode.case.level, self._id)

    def close(self) -> None:
        """Forget the episode; OpenEnv counts an idle session no longer, though its socket may still speak."""
        self._over, self._episode = True, None

    def _wake(self) -> None:
        if self._over:
            raise FinishedEpisodeError("this session was idle for too long and is forgotten; connect again")

    @property
    def state(self) -> AuditorState:
        """Where the episode stands."""
        if self._episode is None:
            return AuditorState()
        return AuditorState(
            episode_id=self._id,
            step_count=self._episode.steps,
            task=self._episode.case.level,
            phase=self._episode.phase,
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What this is, for people."""
        return EnvironmentMetadata(
            name=NAME,
            description="In two steps an agent names, places and fixes what makes an experiment irreproducible.",
            version=__version__,
        )

    def list_splits(self) -> list[str]:
        """The levels."""
        return list(LEVELS)

    def num_tasks(self, split: str) -> int:
        """How many tasks a level lists."""
        level_named(split)
        return TASKS

    def get_task(self, split: str, index: int) -> dict[str, str | int]:
        """One task of a level.

        Raises:
            BadRequestError: the index is outside.
        """
        level = level_named(split)
        if not 0 <= index < TASKS:
            raise BadRequestError(f"a level has tasks 0 to {TASKS - 1}, not {index}")
        return {"id": f"{level}-{index}", "index": index, "level": level, "seed": index}

    def list_tasks(self, split: str) -> list[dict[str, str | int]]:
        """All tasks of a level."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, str | int]]:
        """Tasks of a level from `start` up to `stop`."""
        return [self.get_task(split, index) for index in range(TASKS)[start:stop]]


def made_by(drawer: Drawer) -> Callable[[], AuditorEnvironment]:
    """What makes a session's environment."""

    def make() -> AuditorEnvironment:
        return AuditorEnvironment(drawer)

    return make


def level_named(task: str) -> Level:
    """The level of a task's name.

    Raises:
        UnknownTaskError: there is none of that name.
    """
    level = level_of(task)
    if level is None:
        raise UnknownTaskError(f"no task {task[:64]!r}; there are: {', '.join(LEVELS)}")
    return level


def drawn_seed(seed: int | None) -> int:
    """The seed asked for, or one that nobody knows.

    Raises:
        BadRequestError: it is negative or too large.
    """
    if seed is None:
        return secrets.randbelow(_SEEDS)
    if not 0 <= seed < _SEEDS:
        raise BadRequestError(f"a seed is a whole number from 0 to {_SEEDS - 1}")
    return seed
