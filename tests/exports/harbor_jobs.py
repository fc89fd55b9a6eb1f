"""Harbor as its user calls it: one job over a dataset, and what each of its trials earned."""

import json
from pathlib import Path

from consumers import called, consumer, docker_config

__all__ = ["lint", "rewards"]

_OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HARBOR_TELEMETRY": "off"}


def lint(*tasks: Path) -> str:
    """What `harbor lint` says of tasks, nothing where they are clean."""
    return called(consumer("harbor") / "harbor", "lint", *tasks, env=_OFFLINE | docker_config("harbor"))


def rewards(dataset: Path, jobs: Path, *agents: str) -> dict[str, dict[str, float | None]]:
    """Of each agent the reward of every task of a dataset by its directory's name, None where a trial ended without.

    All in one job, a trial of each agent at once: Harbor takes seconds to load.
    """
    config = jobs.with_suffix(".json")
    config.write_text(json.dumps({"agents": [{"name": agent} for agent in agents]}))
    argv = (consumer("harbor") / "harbor", "run", "-p", dataset, "-c", config, "-o", jobs, "--job-name", "job")
    called(*argv, "-n", str(len(agents)), "-q", env=_OFFLINE | docker_config("harbor"))
    found: dict[str, dict[str, float | None]] = {agent: {} for agent in agents}
    for told in sorted((jobs / "job").glob("*/exception.txt")):
        print(told.parent.name, told.read_text()[-3000:])
    for path in sorted((jobs / "job").glob("*/result.json")):
        trial = json.loads(path.read_text())
        judged, agent = trial["verifier_result"], trial["config"]["agent"]["name"]
        found[agent][Path(trial["task_id"]["path"]).name] = None if judged is None else judged["rewards"]["reward"]
    return found
