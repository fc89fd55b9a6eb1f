"""Harbor as its user calls it: one job over a dataset, and what each of its trials earned."""

import json
from pathlib import Path

from consumers import called, consumer, docker_config

__all__ = ["lint", "rewards"]

_OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HARBOR_TELEMETRY": "off"}


def lint(*tasks: Path) -> str:
    """What `harbor lint` says of tasks, nothing where they are clean."""
    return called(consumer("harbor") / "harbor", "lint", *tasks, env=_OFFLINE | docker_config("harbor"))


def rewards(dataset: Path, agent: str, jobs: Path) -> dict[str, float | None]:
    """The reward of every task of a dataset by its directory's name, None where a trial ended without one."""
    argv = (
        consumer("harbor") / "harbor",
        "run",
        "-p",
        dataset,
        "-a",
        agent,
        "-o",
        jobs,
        "--job-name",
        agent,
        "-n",
        "1",
    )
    called(*argv, "-q", env=_OFFLINE | docker_config("harbor"))
    found: dict[str, float | None] = {}
    for told in sorted((jobs / agent).glob("*/exception.txt")):
        print(told.parent.name, told.read_text()[-3000:])
    for path in sorted((jobs / agent).glob("*/result.json")):
        trial = json.loads(path.read_text())
        judged = trial["verifier_result"]
        found[Path(trial["task_id"]["path"]).name] = None if judged is None else judged["rewards"]["reward"]
    return found
