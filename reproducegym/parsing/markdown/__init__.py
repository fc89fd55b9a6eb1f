"""Reads Markdown papers."""
