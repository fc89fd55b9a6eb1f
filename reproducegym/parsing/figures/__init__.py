"""Finds figures and their panels."""
