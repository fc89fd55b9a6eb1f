"""What a build was made from and what it left, so that the same build again has nothing to do."""

from typing import Literal

from reproducegym.schema.base import Frozen, Sha256

__all__ = ["BuildRecord"]


class BuildRecord(Frozen):
    """`01-extract/build_record.json`, written last.

    `key` digests everything that the build depended on: the parsed paper, program, configuration, extractor, model,
    prompts, and which claims were asked for. `files` holds the digest of every file that stood there afterwards, by
    its path below the paper's directory; runs, replies of models and timings are none of them.
    """

    schema_version: Literal[1]
    paper_id: str
    key: Sha256
    files: dict[str, Sha256]
