"""A client on the scripted model, with small waits and everything that it tells kept for the test to read."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from model_server import KEY, ModelServer

from reproducegym.adapters.llm import Endpoint
from reproducegym.adapters.llm.client import OpenAiLlm, Progress
from reproducegym.pipeline.config_file import load_config
from reproducegym.ports import Question
from reproducegym.schema.base import Frozen
from reproducegym.schema.config import LlmConfig
from reproducegym.schema.usage import UsageSummary


class Word(Frozen):
    """One word and how often it stands there."""

    word: str
    count: int


QUESTION = Question(step="extract", prompt="llm/extract", version="1", system="Count words.", user="one one two")
GOOD = {"word": "one", "count": 2}
PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (64).to_bytes(4, "big") + (48).to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
)


def settings(**knobs: object) -> LlmConfig:
    """The shipped configuration with a model and with waits that a test can bear."""
    quick = {"model": "small-model", "stall_s": 5.0, "call_s": 10.0, "first_wait_s": 0.01, "max_reply_tokens": 1000}
    return LlmConfig.model_validate({**load_config(None).llm.model_dump(), **quick, **knobs})


@dataclass
class Rig:
    """The client with what it told, waited, and kept."""

    llm: OpenAiLlm
    directory: Path
    told: list[str]
    waited: list[float]
    kept: list[UsageSummary]
    progress: list[Progress]

    @property
    def lines(self) -> str:
        return "\n".join(self.told)

    def files(self) -> list[Path]:
        return sorted(path for path in self.directory.rglob("*") if path.is_file())


def rig(
    server: ModelServer | str, directory: Path, *, key: str = KEY, really_wait: bool = False, **knobs: object
) -> Rig:
    """A client for a server or a base URL; sleeps are recorded and not slept unless `really_wait`."""
    url = server if isinstance(server, str) else server.base_url
    told: list[str] = []
    waited: list[float] = []
    kept: list[UsageSummary] = []
    progress: list[Progress] = []
    own_time = {} if really_wait else {"now": lambda: sum(waited), "sleep": waited.append}
    llm = OpenAiLlm(
        Endpoint(url, key, ".env"),
        settings(**knobs),
        paper_id="paper",
        cache=directory / "model_replies",
        keep=kept.append,
        tell=told.append,
        progress=progress.append,
        **own_time,
    )
    return Rig(llm, directory, told, waited, kept, progress)


def price(prompt: str, completion: str) -> dict[str, Decimal]:
    return {"prompt": Decimal(prompt), "completion": Decimal(completion)}
