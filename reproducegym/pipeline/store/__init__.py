"""The files of one paper, by meaning: the only room that knows where anything stands.

A name that a caller gives never leaves the paper's directory. What is read back is checked against its published
schema. One module a part of the directory: `parsed`, `claims`, `tasks`, `attempts`, `products`.
"""

from reproducegym.pipeline.store.folder import REFRESH
from reproducegym.pipeline.store.paper import PaperStore, open_paper, open_task, papers

__all__ = ["REFRESH", "PaperStore", "open_paper", "open_task", "papers"]
