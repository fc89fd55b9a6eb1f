"""`reproducegym auditor infer` and `validate`: a model plays episodes; a suite examines a server."""

import os
from statistics import fmean
from typing import Annotated, NamedTuple

import typer
from dotenv import dotenv_values
from pydantic import JsonValue

from reproducegym.cli.environment import use_only
from reproducegym.cli.environments import RewardChoice, drawer
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import Explained, answer, say
from reproducegym.errors import MisuseError, ModelUnavailableError, NotFoundError
from reproducegym.families.auditor.nouns import LEVELS

__all__ = ["Torch", "infer", "validate"]

Torch = Annotated[
    bool, typer.Option("--torch", help="Projects of PyTorch too; REPRODUCEGYM_PACKAGES may say where it is.")
]

_NAMES = ("API_BASE_URL", "MODEL_NAME", "HF_TOKEN")


class _Endpoint(NamedTuple):
    url: str
    model: str
    key: str


def _endpoint() -> _Endpoint:
    """Where the model is; address and key both from `.env` where it names either, else both from the shell.

    Raises:
        ModelUnavailableError: something is not set.
    """
    filed = {
        name: value for name, value in dotenv_values(".env", interpolate=False).items() if name in _NAMES and value
    }
    variables = filed if {"API_BASE_URL", "HF_TOKEN"} & set(filed) else {**os.environ, **filed}
    missing = [name for name in _NAMES if not variables.get(name, "").strip()]
    if missing:
        where = ".env" if variables is filed else "the environment or .env"
        raise ModelUnavailableError(f"no model is set up: {', '.join(missing)} is not set in {where}")
    return _Endpoint(*(variables[name].strip() for name in _NAMES))


def _address(url: str) -> str:
    """The address of a server.

    Raises:
        MisuseError: it is none of HTTP.
    """
    if not url.startswith(("http://", "https://")):
        raise MisuseError(f'"{url}" is no address of a server; one begins with http:// or https://')
    return url


def infer(
    server: Annotated[str | None, typer.Option(help="Play at this server, not in this process.", metavar="URL")] = None,
    task: Annotated[list[str] | None, typer.Option(help="Only this task; may be given again.")] = None,
    episodes: Annotated[int, typer.Option(min=1, help="Episodes of each task.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first episode.")] = 0,
    retries: Annotated[int, typer.Option(min=0, max=10, help="How often a failed request is sent again.")] = 2,
    reward: Annotated[RewardChoice, typer.Option(help="The reward in this process.")] = RewardChoice.executed,
    split: Annotated[str, typer.Option(help="Projects in this process: train or held_out.")] = "held_out",
    torch: Torch = False,
    as_json: AsJson = False,
) -> None:
    """Let a model play: API_BASE_URL, MODEL_NAME and HF_TOKEN in the environment or in .env say which.

    Example: reproducegym auditor infer --server http://127.0.0.1:7860 --episodes 3
    """
    unknown = [name for name in task or () if name not in LEVELS]
    if unknown:
        raise NotFoundError(f'no task "{unknown[0]}"; there are: {", ".join(LEVELS)}')
    endpoint = _endpoint()
    try:
        from reproducegym.adapters.auditor_client.model import ModelPlayer
    except ModuleNotFoundError as error:
        raise MisuseError(f"models need {error.name}; install it with: pip install 'reproducegym[llm]'") from error
    from reproducegym.adapters.auditor_client.seat import HttpSeat, LocalSeat, Seat

    address = None if server is None else _address(server)
    seat: Seat = LocalSeat(drawer(reward, split, torch=torch)) if address is None else HttpSeat(address)
    use_only({}, os.environ)
    player = ModelPlayer(endpoint.url, endpoint.key, endpoint.model, retries)
    outcomes = []
    say(f"{'task':<8} {'seed':>6} {'triage':>7} {'audit':>7}")
    for level in (known for known in LEVELS if known in (task or LEVELS)):
        for number in range(seed, seed + episodes):
            one = player.play(seat, level, number)
            outcomes.append(one)
            why = f"  {one.reason}" if one.reason else ""
            say(f"{one.level:<8} {one.seed:>6} {one.triage:>7.3f} {one.audit:>7.3f}{why}")
    means: dict[str, JsonValue] = {}
    for level in dict.fromkeys(one.level for one in outcomes):
        means[level] = round(fmean(one.audit for one in outcomes if one.level == level), 6)
        say(f"{level:<8} {'mean':>6} {'':>7} {means[level]:>7.3f}")
    if as_json:
        told: list[JsonValue] = [
            {"task": o.level, "seed": o.seed, "triage": o.triage, "audit": o.audit, "reason": o.reason}
            for o in outcomes
        ]
        answer({"model": endpoint.model, "episodes": told, "mean": means})


def validate(
    url: Annotated[str, typer.Argument(help="Address of the server.", metavar="URL")] = "http://127.0.0.1:7860",
    as_json: AsJson = False,
) -> Explained | None:
    """Examine a running server before it is submitted; exit code 1 if a check fails.

    Example: reproducegym auditor validate http://127.0.0.1:7860
    """
    from reproducegym.adapters.auditor_client.suite import CHECKS, examined

    checks = []
    address, wide = _address(url), max(map(len, CHECKS))
    say(f"{'':<4}  {'check':<{wide}}  what was seen")
    for one in examined(address):
        checks.append(one)
        say(f"{'pass' if one.passed else 'FAIL'}  {one.name:<{wide}}  {one.saw}")
    failed = sum(not one.passed for one in checks)
    say(f"{len(checks) - failed} of {len(checks)} checks passed")
    if as_json:
        told: list[JsonValue] = [{"check": c.name, "passed": c.passed, "saw": c.saw} for c in checks]
        answer({"checks": told, "passed": not failed})
    return Explained(1) if failed else None
