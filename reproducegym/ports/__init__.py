"""The doors of the house: one Protocol for each thing that touches the world or can be exchanged."""

from reproducegym.ports.agents import Agent, AgentTask, Bill
from reproducegym.ports.executors import Executor
from reproducegym.ports.families import Proposal, TaskFamily
from reproducegym.ports.files import Files
from reproducegym.ports.models import Llm, Question, ReplyT, Unanswered
from reproducegym.ports.papers import Extractor, Parser, ReadPaper
from reproducegym.ports.sandboxes import (
    Availability,
    CopyLimits,
    Door,
    ExecOutcome,
    Sandbox,
    SandboxBox,
    SandboxSpec,
    Standing,
)

__all__ = [
    "Agent",
    "AgentTask",
    "Availability",
    "Bill",
    "CopyLimits",
    "Door",
    "ExecOutcome",
    "Executor",
    "Extractor",
    "Files",
    "Llm",
    "Parser",
    "Proposal",
    "Question",
    "ReadPaper",
    "ReplyT",
    "Sandbox",
    "SandboxBox",
    "SandboxSpec",
    "Standing",
    "TaskFamily",
    "Unanswered",
]
