"""`reproducegym auditor`: serves the reproducibility auditor, and measures what scripted policies earn in it."""

import os
import socket
import tempfile
from math import isnan
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli.auditor_playing import Torch, infer, validate
from reproducegym.cli.auditor_serving import CAPACITY, EPISODES, IDLE_S, MESSAGE_BYTES, REWARD, TORCH
from reproducegym.cli.environments import RewardChoice, drawer
from reproducegym.cli.options import AsJson
from reproducegym.cli.voice import Explained, answer, say, warn
from reproducegym.errors import MisuseError, NotFoundError
from reproducegym.families.auditor.nouns import LEVELS

__all__ = ["app"]

app = typer.Typer(
    help="The reproducibility auditor as an environment: serve it, measure policies in it.", no_args_is_help=True
)


@app.command("serve")
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is all of this machine's.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 7860,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve.")] = 1,
    reward: Annotated[RewardChoice, typer.Option(help="How episodes are drawn and judged.")] = RewardChoice.executed,
    capacity: Annotated[int, typer.Option(min=1, help="Episodes, and sessions of a worker, at once.")] = 1024,
    idle: Annotated[float, typer.Option(min=1, help="Seconds after which an idle episode is forgotten.")] = 1800,
    torch: Torch = False,
) -> None:
    """Serve the environment: OpenEnv sessions on /ws, and plain HTTP episodes on /reset, /step and /state.

    Example: reproducegym auditor serve --port 7860 --reward classic
    """
    try:
        import uvicorn
    except ModuleNotFoundError as error:
        raise MisuseError(
            f"the server needs {error.name}; install it with: pip install 'reproducegym[openenv]'"
        ) from error
    drawer(reward, torch=torch)
    with tempfile.TemporaryDirectory(prefix="reproducegym-auditor-") as place:
        os.environ.update(
            {
                REWARD: reward,
                EPISODES: str(Path(place) / "episodes.sqlite"),
                CAPACITY: str(capacity),
                IDLE_S: str(idle),
                TORCH: str(int(torch)),
            }
        )
        taken = _free_port(host, port)
        say(f"serving on http://{host}:{taken} (reward {reward}); stop it with Ctrl-C")
        uvicorn.run(
            "reproducegym.cli.auditor_serving:app",
            factory=True,
            host=host,
            port=taken,
            workers=workers,
            ws_max_size=MESSAGE_BYTES,
            log_level="warning",
        )


app.command("infer")(infer)
app.command("validate")(validate)


@app.command("bench")
def bench(
    episodes: Annotated[int, typer.Option(min=1, help="How many, in turn of the levels.")] = 200,
    level: Annotated[list[str] | None, typer.Option(help="Only this level; may be given again.")] = None,
    policy: Annotated[list[str] | None, typer.Option(help="Only this policy; may be given again.")] = None,
    reward: Annotated[RewardChoice, typer.Option(help="How episodes are drawn and judged.")] = RewardChoice.executed,
    split: Annotated[str, typer.Option(help="Projects of executed episodes: train or held_out.")] = "held_out",
    first_seed: Annotated[int, typer.Option(min=0, help="Seed of the first episode.")] = 0,
    torch: Torch = False,
    as_json: AsJson = False,
) -> Explained | None:
    """Measure what scripted policies earn, and whether cheap tricks earn nothing; exit code 1 if a bar breaks.

    Example: reproducegym auditor bench --episodes 6 --reward classic --policy oracle --policy no-op
    """
    from reproducegym.families.auditor.policies.bench import POLICIES, broken_bars, measured

    unknown = [name for name in policy or () if name not in POLICIES]
    if unknown:
        raise NotFoundError(f'no policy "{unknown[0]}"; there are: {"; ".join(POLICIES)}')
    levels = tuple(known for known in LEVELS if known in (level or LEVELS))
    if not levels or len(levels) != len(set(level or LEVELS)):
        raise NotFoundError(f"levels are: {', '.join(LEVELS)}")
    drawn = drawer(reward, split, torch=torch)
    rows = {}
    say(f"{'policy':<20} {'easy':>7} {'medium':>7} {'hard':>7} {'mean':>7} {'holding':>7} {'least':>7}")
    for row in measured(drawn, policy or POLICIES, levels, range(first_seed, first_seed + episodes)):
        rows[row.policy] = row
        numbers = [*(row.by_level[one] for one in LEVELS), row.mean, row.holding, row.least]
        say(f"{row.policy:<20} " + " ".join(f"{number:>7.3f}" for number in numbers))
    broken = broken_bars(rows) if reward is RewardChoice.executed else ()
    for line in broken:
        warn(f"bar broken: {line}")
    if as_json:
        told: dict[str, JsonValue] = {
            name: {
                **{one: _number(row.by_level[one]) for one in LEVELS},
                "mean": _number(row.mean),
                "holding": _number(row.holding),
                "least": _number(row.least),
            }
            for name, row in rows.items()
        }
        answer({"episodes": episodes, "reward": reward, "split": split, "policies": told, "broken": [*broken]})
    return Explained(1) if broken else None


def _number(value: float) -> float | None:
    """A mean as JSON tells it; None of no episodes."""
    return None if isnan(value) else round(value, 6)


def _free_port(host: str, port: int) -> int:
    """The port if it can be listened on, or with 0 a free one.

    Raises:
        MisuseError: it cannot.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except OSError as error:
        line = f"nothing can listen on port {port} of {host}: {error.strerror}; choose others with --host and --port"
        raise MisuseError(line) from error
