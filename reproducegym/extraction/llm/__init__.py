"""Proposes claims with a language model; what it says counts only as far as the paper bears it out."""

from reproducegym.extraction.llm.extractor import LlmExtractor

__all__ = ["LlmExtractor"]
