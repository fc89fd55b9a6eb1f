"""Run by verifiers' own Python: scores prepared workspaces as a rollout's end does, and prints rewards by name as JSON.

verifiers_score.py TASK_ID DIRECTORY: each directory below DIRECTORY is what an agent left.
"""

import asyncio
import json
import sys
from pathlib import Path

import verifiers.v1 as vf
from reproducegym_tasks.taskset import ReproduceConfig, ReproduceTaskset
from verifiers.v1.runtimes import make_runtime
from verifiers.v1.state import state_cls
from verifiers.v1.trace import Trace, TraceTask


async def score(task: vf.Task, left: Path) -> float:
    runtime = make_runtime(vf.SubprocessConfig(), name=f"score-{left.name}")
    runtime.env = {}
    told = TraceTask(type=type(task).__name__, data=task.data, key=task.key, hash=task.hash)
    agent = vf.AgentInfo(config=vf.AgentConfig(runtime=vf.SubprocessConfig()), name="fixed", trainable=False)
    trace = Trace(task=told, state=state_cls(type(task))(), agent=agent)
    await runtime.start()
    try:
        await task.setup(trace, runtime)
        for path in sorted(left.rglob("*")):
            if path.is_file():
                await runtime.write(path.relative_to(left).as_posix(), path.read_bytes())
        await task.score(trace, runtime)
    finally:
        await runtime.stop()
    return trace.reward


task_id, directory = sys.argv[1:]
task = next(one for one in ReproduceTaskset(ReproduceConfig(image="")) if one.data.task_id == task_id)
print(json.dumps({left.name: asyncio.run(score(task, left)) for left in sorted(Path(directory).iterdir())}))
