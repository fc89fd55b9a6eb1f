"""Grading by execution: projects run twice in sandboxes under changed circumstances, and what comes out is compared."""
