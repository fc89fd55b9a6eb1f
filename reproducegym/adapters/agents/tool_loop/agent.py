"""The agent `tool-loop`: a model on the host that works through a hand in the sandbox."""

from collections.abc import Mapping
from pathlib import Path

from agent_trace.gateway import Loopback
from reproducegym.adapters.agents.instructions import budget_words
from reproducegym.adapters.agents.metered import Metered, Models, metered
from reproducegym.adapters.agents.tool_loop.chat import chat_model
from reproducegym.adapters.agents.tool_loop.conversation import Conversation
from reproducegym.adapters.agents.tool_loop.hands import HAND, INSIDE
from reproducegym.adapters.agents.tool_loop.loop import Ended, work
from reproducegym.errors import InfrastructureError
from reproducegym.ports import AgentTask, SandboxBox
from reproducegym.schema.run import AgentRecord

__all__ = ["ToolLoopAgent"]


class ToolLoopAgent:
    """Needs nothing in the sandbox but Python. What it asks goes through a gateway, and so into the trace."""

    name = "tool-loop"
    door: tuple[str, ...] = (HAND,)

    def __init__(self, models: Models) -> None:
        self._models = models
        self.mounts: Mapping[str, Path] = dict(INSIDE)

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """Work until the model submits or a budget is used up.

        Raises:
            InfrastructureError: the engine failed, or the model's endpoint again and again.
            ModelUnavailableError: the endpoint refuses us.
        """
        with metered(self._models, task, self.name) as meter:
            ended = self._work(task, box, meter)
            return AgentRecord(
                agent=self.name,
                outcome=ended.outcome,
                exit_code=0 if ended.outcome == "finished" else None,
                detail=ended.detail,
                usage=meter.usage(),
                model=self._models.model,
                stopped_by=ended.stopped_by,
            )

    def _work(self, task: AgentTask, box: SandboxBox, meter: Metered) -> Ended:
        if box.door is None:
            raise InfrastructureError("a sandbox was made without the door that its agent needs")
        settings = self._models.settings
        address = meter.gateway.listen(Loopback())
        endpoint = self._models.endpoints["openai"]
        with chat_model(f"{address}/v1", meter.run.token, self._models.model, endpoint, settings.llm) as model:
            words = budget_words(settings.agent, task.timeout_s)
            return work(Conversation(task.instructions, words, task.poll_s), model, box, box.door, meter)
