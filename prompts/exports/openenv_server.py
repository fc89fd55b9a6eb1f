"""The application of paper tasks: `uvicorn server:app --port 8430`."""

import os

os.environ.setdefault("REPRODUCEGYM_RUNS", RUNS)

from reproducegym.cli.serving_tasks import app as tasks

__all__ = ["app"]

app = tasks()
