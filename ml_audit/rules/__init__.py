"""The rules: each has a stable id, a reason, a bad and a good example, and a check that reads a subject."""
