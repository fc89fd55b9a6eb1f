"""Which model answers which step, and whether its cost can be capped; loads no SDK."""

from collections.abc import Mapping
from typing import get_args

from reproducegym.errors import MisuseError
from reproducegym.schema.config import LlmConfig
from reproducegym.schema.usage import Step

__all__ = ["check_prices", "models_of", "name_of"]


def models_of(settings: LlmConfig) -> dict[Step, str]:
    """The model of every step.

    Raises:
        MisuseError: a step has none.
    """
    steps: tuple[Step, ...] = get_args(Step)
    models = {step: settings.steps.get(step, settings.model) for step in steps}
    unnamed = [step for step, model in models.items() if not model]
    if unnamed:
        which = "" if len(unnamed) == len(steps) else f" for {', '.join(unnamed)}"
        raise MisuseError(
            f"no model is named{which}; set OPENAI_MODEL in .env, or llm.model in a configuration "
            "that you name with --config"
        )
    return models


def name_of(models: Mapping[Step, str]) -> str:
    """`small`, or `small, read_panel: large` where a step has another model than most."""
    usual = max(sorted(set(models.values())), key=list(models.values()).count)
    others = [f"{step}: {model}" for step, model in models.items() if model != usual]
    return ", ".join([usual, *others])


def check_prices(models: Mapping[Step, str], settings: LlmConfig) -> None:
    """Nothing, when a cap on dollars can be kept.

    Raises:
        MisuseError: it is set, and a model has no price.
    """
    unpriced = sorted({model for model in models.values() if model not in settings.prices})
    if settings.max_dollars_per_paper != "none" and unpriced:
        raise MisuseError(
            f"llm.max_dollars_per_paper is set, but {', '.join(unpriced)} has no price; name it under [llm.prices], or "
            'set the cap to "none" and use max_tokens_per_paper'
        )
