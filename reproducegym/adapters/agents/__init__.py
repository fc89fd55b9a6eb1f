"""Agents that work on tasks."""
