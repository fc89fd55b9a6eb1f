"""Rules about data and pretrained models: which version, which split, what leaks."""

import ast
import re
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


_SCALER = re.compile(r"(scaler|imputer|vectori[sz]er|pca|selector|normali[sz]er|encoder)$", re.I)
_FITTED = re.compile(r"^sklearn\.(preprocessing|impute|decomposition|feature_selection)\.")


@DATA("fitted-before-split")
def fitted_before_split(subject: Subject) -> Iterator[Hit]:
    """In one scope, a transformation is fitted and its result is split later."""
    for path, facts in subject.project.main_facts.items():
        splits = [c for c in facts.calls if c.name == "sklearn.model_selection.train_test_split"]
        for split in splits:
            given = {n.id for a in split.node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
            for call in facts.calls:
                if call.last != "fit_transform" or call.scope != split.scope or call.node.lineno >= split.node.lineno:
                    continue
                about = call.name.rpartition(".")[0]
                if not (_FITTED.match(about) or _SCALER.search(call.receiver)) or "LabelEncoder" in about:
                    continue
                if call.used_as in given or (call.used_as.rstrip("[]").split(".")[0] in given):
                    yield Hit(path, call.line, f"fitted on all rows, which are split on line {split.line}")


@DATA("splits-with-one-seed")
def splits_with_one_seed(subject: Subject) -> Iterator[Hit]:
    """A split in a loop has a constant random_state, and its data does not depend on the loop."""
    for path, call in subject.project.calls():
        state = call.keyword("random_state")
        if (
            not call.loops
            or not re.search(r"train_test_split|ShuffleSplit|KFold", call.last)
            or not isinstance(state, ast.Constant)
        ):
            continue
        loop = call.loops[-1]
        if state.value is None or not isinstance(loop, ast.For):
            continue
        target = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
        about = " ".join(target | {ast.unparse(loop.iter)})
        used = {n.id for a in call.node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
        made = {
            n.id
            for s in loop.body
            for n in ast.walk(s)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.lineno < call.node.lineno
        }
        repeats = re.search(r"split|run|rep|trial|seed|fold|iter|\b_\b|range", about)
        if repeats and not (used & (target | made)):
            yield Hit(path, call.line, f"every turn of the loop splits with random_state={state.value!r}")
