"""Rules about data and pretrained models: which version, checked how."""

from collections.abc import Iterator

from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.datasets import data_sources
from ml_audit.signals.pretrained import pretrained

__all__ = ["DATA"]

DATA = family("data")


@DATA("dataset-revision-missing")
def dataset_revision_missing(subject: Subject) -> Iterator[Hit]:
    """A hub data set without a revision."""
    for source in data_sources(subject.project):
        if source.grade == "unpinned" and source.what.endswith(
            ("load_dataset", "snapshot_download", "hf_hub_download")
        ):
            yield Hit(source.path, source.line, "no revision= for a data set of a hub")


@DATA("download-unchecked")
def download_unchecked(subject: Subject) -> Iterator[Hit]:
    """Data is downloaded and no checksum is compared."""
    for source in data_sources(subject.project):
        if source.grade == "unpinned" and not source.what.endswith(
            ("load_dataset", "snapshot_download", "hf_hub_download")
        ):
            own = source.what.startswith("torchvision")
            text = "the user must supply this data, and nothing says which" if own else "downloaded without a checksum"
            yield Hit(source.path, source.line, text, "medium")


@DATA("model-revision-missing")
def model_revision_missing(subject: Subject) -> Iterator[Hit]:
    """Weights are fetched without a revision, or with one that follows a branch by default."""
    for told in pretrained(subject.project):
        if told.grade == "configurable" and subject.signals["model_revision_pinned"].value == "partial":
            yield Hit(
                told.path,
                told.call.line,
                f"{told.call.raw}: which weights depends on a default or the library",
                "medium",
            )
        if told.grade == "unpinned":
            yield Hit(told.path, told.call.line, f"{told.call.raw} without a revision")


@DATA("dataset-by-library")
def dataset_by_library(subject: Subject) -> Iterator[Hit]:
    """All data comes through a library's own checks."""
    if subject.signals["dataset_pinned"].value == "partial":
        for source in data_sources(subject.project):
            if source.grade == "library":
                yield Hit(source.path, source.line, "fixed by the library alone", lowers=("dataset_pinned",))
