"""Language models behind the port `Llm`: any endpoint that speaks OpenAI's chat API. Importing this loads no SDK."""

from reproducegym.adapters.llm.availability import llm_availability
from reproducegym.adapters.llm.endpoint import Endpoint

__all__ = ["Endpoint", "llm_availability"]
