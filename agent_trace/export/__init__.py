"""Writes a trajectory in the forms that others read: training lines, ATIF, a summary of tokens and costs."""

from agent_trace.export.atif import AtifDocument, atif
from agent_trace.export.outcome import Outcome
from agent_trace.export.raw import raw_lines
from agent_trace.export.summary import Summary, summarised
from agent_trace.export.training import rl_lines, sft_lines

__all__ = ["AtifDocument", "Outcome", "Summary", "atif", "raw_lines", "rl_lines", "sft_lines", "summarised"]
