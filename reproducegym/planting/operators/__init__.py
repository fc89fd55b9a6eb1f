"""Operators by category: each finds where one kind of defect can be planted, and plants it."""
