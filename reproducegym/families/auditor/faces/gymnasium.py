"""The environment as Gymnasium knows it: actions as JSON text, or structured."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pydantic import ValidationError

from reproducegym.families.auditor.episode import Drawer, Episode, EpisodeOverError, Step
from reproducegym.families.auditor.faces.numbers import one_number, set_bits, whole_number
from reproducegym.families.auditor.faces.source_text import SourceText
from reproducegym.families.auditor.nouns import CATEGORIES, MAX_ACTION_BYTES, Audit, Finding, Level, Malformed, Triage

__all__ = ["MAX_FILES", "MAX_TEXT", "JsonAuditor", "StructuredAction", "StructuredAuditor", "StructuredObservation"]

MAX_TEXT = 262_144
MAX_FILES = 32
_MAX_NAME = 128
_MAX_FIX = 4096
_MAX_LINE = 100_000
_PHASES = ("triage", "audit", "done")

Info = dict[str, object]


class StructuredFinding(TypedDict):
    """One violation; `file` is the place of its file in the text, from 0."""

    violation_type: str
    file: np.int64
    line_number: np.int64
    suggested_fix_code: str


class StructuredAction(TypedDict):
    """Both actions in one: in triage the two sets count, in audit the findings and the score."""

    suspicious_files: NDArray[np.int8]
    suspected_categories: NDArray[np.int8]
    violations: Sequence[StructuredFinding]
    reproducibility_score: NDArray[np.float32]


class StructuredObservation(TypedDict):
    """The text, the phase (0 triage, 1 audit, 2 done), and feedback: 1 confirmed, -1 rejected, 0 not told."""

    text: str
    phase: np.int64
    files: NDArray[np.int8]
    categories: NDArray[np.int8]


class _Rounds:
    """Episodes one after the other: the first of a seed is that seed's, later ones are drawn from it."""

    def __init__(self, level: Level, drawer: Drawer) -> None:
        self._level, self._drawer = level, drawer
        self._episode: Episode | None = None

    def begin(self, seed: int | None, generator: np.random.Generator) -> Episode:
        number = int(generator.integers(2**31)) if seed is None else seed
        self._episode = Episode(self._drawer.draw(self._level, number))
        return self._episode

    @property
    def episode(self) -> Episode:
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("reset() comes before the first step")
        return self._episode

    def step(self, action: object) -> Step:
        try:
            return self.episode.step(action)
        except EpisodeOverError as error:
            raise gymnasium.error.ResetNeeded(str(error)) from error

    def info(self, step: Step | None) -> Info:
        episode = self.episode
        parts = {} if step is None or step.scored is None else dict(step.scored.parts)
        reason = "" if step is None or step.reason is None else step.reason
        return {"seed": episode.case.seed, "phase": episode.phase, "reason": reason, "parts": parts}


class JsonAuditor(gymnasium.Env[str, str]):
    """Observations and actions are text; an action is the JSON of a triage, then of an audit."""

    def __init__(self, level: Level, drawer: Drawer, render_mode: str | None = None) -> None:
        """Take the level, who draws episodes (`reward`), and how `render` shows them."""
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = _known_mode(render_mode)
        self.observation_space = SourceText(MAX_TEXT)
        self.action_space = SourceText(MAX_ACTION_BYTES)
        self._rounds = _Rounds(level, drawer)

    def reset(self, *, seed: int | None = None, options: Mapping[str, object] | None = None) -> tuple[str, Info]:
        """Begin an episode; the same seed gives the same bytes everywhere."""
        super().reset(seed=seed)
        text = self._rounds.begin(seed, self.np_random).text
        return _shown(text), self._rounds.info(None)

    def step(self, action: str) -> tuple[str, float, bool, bool, Info]:
        """Take the JSON of an action; what cannot be read earns 0, and `info["reason"]` says why."""
        step = self._rounds.step(action)
        return _shown(step.text), step.reward, step.done, False, self._rounds.info(step)

    def render(self) -> str:
        """The text that the agent sees."""
        return self._rounds.episode.text


class StructuredAuditor(gymnasium.Env[StructuredObservation, StructuredAction]):
    """The same episodes with sets as bits, findings as dictionaries, and feedback as numbers."""

    def __init__(self, level: Level, drawer: Drawer, render_mode: str | None = None) -> None:
        """Take the level, who draws episodes (`reward`), and how `render` shows them."""
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = _known_mode(render_mode)
        seen = spaces.Dict(
            {
                "text": SourceText(MAX_TEXT),
                "phase": spaces.Discrete(len(_PHASES)),
                "files": spaces.Box(-1, 1, (MAX_FILES,), np.int8),
                "categories": spaces.Box(-1, 1, (len(CATEGORIES),), np.int8),
            }
        )
        finding = spaces.Dict(
            {
                "violation_type": SourceText(_MAX_NAME),
                "file": spaces.Discrete(MAX_FILES),
                "line_number": spaces.Discrete(_MAX_LINE),
                "suggested_fix_code": SourceText(_MAX_FIX),
            }
        )
        acted = spaces.Dict(
            {
                "suspicious_files": spaces.MultiBinary(MAX_FILES),
                "suspected_categories": spaces.MultiBinary(len(CATEGORIES)),
                "violations": spaces.Sequence(finding),
                "reproducibility_score": spaces.Box(0, 1, (), np.float32),
            }
        )
        self.observation_space = cast("spaces.Space[StructuredObservation]", seen)
        self.action_space = cast("spaces.Space[StructuredAction]", acted)
        self._rounds = _Rounds(level, drawer)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[StructuredObservation, Info]:
        """Begin an episode; the same seed gives the same bytes everywhere."""
        super().reset(seed=seed)
        self._rounds.begin(seed, self.np_random)
        return self._observation(), self._rounds.info(None)

    def step(self, action: StructuredAction) -> tuple[StructuredObservation, float, bool, bool, Info]:
        """Take an action; what points at no file of this episode, though at one of the space, counts as a wrong claim.

        One that is not of the space (a number outside it, or a fraction where it has none) earns 0, and
        `info["reason"]` says why.
        """
        step = self._rounds.step(self._said(action))
        return self._observation(), step.reward, step.done, False, self._rounds.info(step)

    def render(self) -> str:
        """The text that the agent sees."""
        return self._rounds.episode.text

    def _said(self, action: StructuredAction) -> str | Malformed:
        try:
            return self._audit(action) if self._rounds.episode.phase == "audit" else self._triage(action)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return Malformed(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
        except (LookupError, TypeError, ValueError) as error:
            return Malformed(f"the action is outside its space: {type(error).__name__}: {error}")

    def _triage(self, action: StructuredAction) -> str:
        places = set_bits(action["suspicious_files"], MAX_FILES, "suspicious_files")
        kinds = set_bits(action["suspected_categories"], len(CATEGORIES), "suspected_categories")
        files, categories = tuple(map(self._name, places)), tuple(CATEGORIES[place] for place in kinds)
        return Triage(suspicious_files=files, suspected_categories=categories).to_json()

    def _audit(self, action: StructuredAction) -> str:
        findings = tuple(
            Finding(
                violation_type=one["violation_type"],
                file_name=self._name(whole_number(one["file"], MAX_FILES, "file")),
                line_number=whole_number(one["line_number"], _MAX_LINE, "line_number"),
                suggested_fix_code=one["suggested_fix_code"],
            )
            for one in action["violations"]
        )
        score = one_number(action["reproducibility_score"], "reproducibility_score")
        return Audit(violations=findings, reproducibility_score=score).to_json()

    def _name(self, place: int) -> str:
        names = tuple(self._rounds.episode.case.files)
        return names[place] if place < len(names) else f"(no file {place})"

    def _observation(self) -> StructuredObservation:
        episode = self._rounds.episode
        files, categories = np.zeros(MAX_FILES, np.int8), np.zeros(len(CATEGORIES), np.int8)
        places = {name: place for place, name in enumerate(episode.case.files)}
        kinds: dict[str, int] = {name: place for place, name in enumerate(CATEGORIES)}
        for claim in episode.feedback.claims:
            row, known = (files, places) if claim.kind == "file" else (categories, kinds)
            if claim.name in known:
                row[known[claim.name]] = 1 if claim.confirmed else -1
        phase = np.int64(_PHASES.index(episode.phase))
        return {"text": _shown(episode.text), "phase": phase, "files": files, "categories": categories}


def _shown(text: str) -> str:
    return SourceText.fitted(text)[:MAX_TEXT]


def _known_mode(mode: str | None) -> str | None:
    if mode not in (None, "ansi"):
        raise gymnasium.error.UnsupportedMode(f'render_mode "{mode}" is unknown; there is "ansi"')
    return mode
