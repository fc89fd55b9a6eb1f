"""Proposes claims by rules, without a model."""

from reproducegym.extraction.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
