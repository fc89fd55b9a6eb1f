"""Sets up the models of a build, or says whether they could be set up, with a line of what is used."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from reproducegym.adapters.llm import llm_availability
from reproducegym.adapters.llm.choice import models_of, name_of
from reproducegym.cli.environment import ModelSettings, model_settings, named, use_only
from reproducegym.cli.progress import Meter, usage_line
from reproducegym.cli.voice import say, stderr
from reproducegym.errors import MisuseError, ReproduceGymError
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Availability
from reproducegym.schema.config import Config
from reproducegym.schema.usage import UsageSummary
from reproducegym.scratch import scratch_directory

if TYPE_CHECKING:
    from reproducegym.adapters.llm.client import OpenAiLlm, Progress

__all__ = ["llm", "models_set_up"]

_ATTEMPTS = 2
"""Somebody who asks whether it works waits for the answer."""


def llm(settings: Config, store: PaperStore) -> "OpenAiLlm":
    """The models for one paper; says in a line where they are asked and which they are, never the key.

    Raises:
        MisuseError: the extra is not installed, no model is named, or a setting cannot be used.
        ModelUnavailableError: no key is set.
    """
    tried = llm_availability()
    if not tried.works:
        raise MisuseError(f"--extractor llm: {tried.detail}; or use --extractor rules, which needs no model")
    chosen = model_settings(Path.cwd(), os.environ)
    models = _client(settings, chosen, store.paper_id, store.replies_directory, store.write_usage, Meter(stderr, say))
    say(f"{chosen.line}; model {models.name}")
    return models


def models_set_up(settings: Config, *, online: bool) -> Availability:
    """Whether models could be asked: installed, a key, a name; with `online` a few short calls are made."""
    tried = llm_availability()
    if not tried.works:
        return tried
    try:
        chosen = model_settings(Path.cwd(), os.environ)
        said = f"{chosen.line}; model {name_of(models_of(named(settings.llm, chosen)))}"
        if not online:
            return Availability(True, f"{said}; not tried, --online does")
        return _tried(settings, chosen, said)
    except ReproduceGymError as error:
        return Availability(False, str(error))


def _tried(settings: Config, chosen: ModelSettings, said: str) -> Availability:
    from reproducegym.adapters.llm.self_check import check_llm

    few = settings.llm.model_copy(update={"attempts": min(settings.llm.attempts, _ATTEMPTS)})
    settings = settings.model_copy(update={"llm": few})
    with scratch_directory("models") as cache:
        client = _client(settings, chosen, "doctor", cache, lambda summary: None, lambda progress: None)
        broken = next((finding for finding in check_llm(client) if not finding.kept), None)
    if broken is not None:
        return Availability(False, f"{said}; {broken.promise}: {broken.detail}")
    return Availability(True, f"{said}; {usage_line(client.usage())}")


def _client(
    settings: Config,
    chosen: ModelSettings,
    paper_id: str,
    cache: Path,
    keep: Callable[[UsageSummary], None],
    progress: "Callable[[Progress], None]",
) -> "OpenAiLlm":
    from reproducegym.adapters.llm.client import OpenAiLlm

    use_only(chosen.variables, os.environ)
    return OpenAiLlm(
        chosen.endpoint,
        named(settings.llm, chosen),
        paper_id=paper_id,
        cache=cache,
        keep=keep,
        tell=say,
        progress=progress,
    )
