"""Reward functions as TRL's GRPOTrainer and slime call them; what could not be scored is None or an error, never 0."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from reproducegym.adapters.trainers.completions import Completion, files_of
from reproducegym.adapters.trainers.verifying import UnscoredError, UnusableVerifierError, Verifier
from reproducegym.errors import MisuseError

__all__ = ["Sample", "SlimeReward", "TrlReward", "slime_reward", "trl_reward"]


class TrlReward(Protocol):
    """TRL's signature: the columns of the data set come by name, `task_id` among them."""

    __name__: str

    def __call__(
        self, prompts: Sequence[Completion], completions: Sequence[Completion], **columns: object
    ) -> list[float | None]:
        """One reward for each completion; None takes a sample out of the batch."""
        ...


class Sample(Protocol):
    """What slime hands over, as far as it is used here."""

    response: str
    metadata: dict[str, object]


SlimeReward = Callable[..., Awaitable[float]]
"""`async def reward_func(args, sample, **kwargs) -> float`."""


def trl_reward(verifier: Verifier, *, parallel: int = 2) -> TrlReward:
    """A reward function for `GRPOTrainer(reward_funcs=…)`: `parallel` verifications at once.

    The data set has a column `task_id`. A completion without files earns 0 at once; one that could not be scored is
    None, which TRL leaves out of the group.

    Raises (when called):
        ValueError: there is no column `task_id`, or not one id for each completion.
        MisuseError: a completion is neither text nor messages.
        UnusableVerifierError: a task is unknown, or the verifier is not set up: no completion would ever be scored.
    """

    def reproduced(
        prompts: Sequence[Completion], completions: Sequence[Completion], **columns: object
    ) -> list[float | None]:
        ids = columns.get("task_id")
        if not isinstance(ids, Sequence) or isinstance(ids, str) or len(ids) != len(completions):
            raise ValueError("the data set needs a column task_id, one for each completion")
        with ThreadPoolExecutor(max_workers=parallel) as pool:
            return list(
                pool.map(lambda pair: _scored(verifier, str(pair[0]), pair[1]), zip(ids, completions, strict=True))
            )

    return reproduced


def slime_reward(verifier: Verifier) -> SlimeReward:
    """A function for slime's `--custom-rm-path`: the id stands in the sample's metadata as `task_id`.

    Raises (when awaited):
        UnusableVerifierError: the task is unknown, or the verifier is not set up.
        MisuseError: the sample's metadata has no `task_id`, or its response is no text.
        UnscoredError: there is no reward; slime's own retry and abort decide, the sample is nobody's 0.
    """

    async def reward_func(args: object, sample: Sample, **kwargs: object) -> float:
        if "task_id" not in sample.metadata:
            raise MisuseError("the sample's metadata has no task_id")
        task_id = str(sample.metadata["task_id"])
        await asyncio.to_thread(verifier.check_task, task_id)
        files = files_of(sample.response)
        return (await asyncio.to_thread(verifier.verify, task_id, files)).reward if files else 0.0

    return reward_func


def _scored(verifier: Verifier, task_id: str, completion: Completion) -> float | None:
    verifier.check_task(task_id)  # before the files: a completion without any says nothing of the task
    files = files_of(completion)
    if not files:
        return 0.0
    try:
        return verifier.verify(task_id, files).reward
    except UnusableVerifierError:
        raise  # so would be all others, and the trainer would learn from nothing
    except UnscoredError:
        return None
