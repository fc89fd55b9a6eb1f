"""Submissions that try to be paid without the work."""
