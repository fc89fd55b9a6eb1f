"""Rules about what the test set may know: what is fitted, resampled or chosen before or on it."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call
from ml_audit.rules.rule import Hit, Subject, family

__all__ = ["SPLITS"]

SPLITS = family("splits")


_SCALER = re.compile(r"(scaler|imputer|vectori[sz]er|pca|selector|normali[sz]er|encoder)$", re.I)


_FITTED = re.compile(r"^sklearn\.(preprocessing|impute|decomposition|feature_selection)\.")


@SPLITS("fitted-before-split")
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


@SPLITS("splits-with-one-seed")
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


@SPLITS("resampled-before-split")
def resampled_before_split(subject: Subject) -> Iterator[Hit]:
    """In one scope, rows are drawn again to balance classes, and the result is split later."""
    for path, facts in subject.project.main_facts.items():
        for split in facts.calls:
            if split.name != "sklearn.model_selection.train_test_split":
                continue
            given = {n.id for a in split.node.args for n in ast.walk(a) if isinstance(n, ast.Name)}
            for call in facts.calls:
                if call.last not in ("fit_resample", "fit_sample") or call.scope != split.scope:
                    continue
                if call.node.lineno < split.node.lineno and given & _targets(subject.project.modules[path].tree, call):
                    yield Hit(path, call.line, f"copies of rows end on both sides of the split on line {split.line}")


def _targets(tree: ast.Module | None, call: Call) -> set[str]:
    """Names that the statement around a call assigns."""
    found: set[str] = set()
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign) and any(n is call.node for n in ast.walk(node.value)):
            found |= {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return found


@SPLITS("augments-evaluation-data")
def augments_evaluation_data(subject: Subject) -> Iterator[Hit]:
    """What is applied to the test set draws at random."""
    for path, facts in subject.project.main_facts.items():
        for assigned in facts.assigned:
            if not _EVALUATES.search(assigned.name) or re.search(r"train", assigned.name, re.IGNORECASE):
                continue
            for node in ast.walk(assigned.value):
                if isinstance(node, ast.Call) and _RANDOM.search(dotted(node.func)):
                    line = subject.project.modules[path].line(node.lineno)
                    yield Hit(path, line, f"{dotted(node.func)} is applied to data of the evaluation", "medium")


_EVALUATES = re.compile(
    r"(^|_)(test|val|valid|eval)(_|\b).*(transform|tf|aug)|(transform|tf|aug)s?_(test|val|valid|eval)", re.I
)
_RANDOM = re.compile(
    r"(^|\.)(Random(Crop|ResizedCrop|HorizontalFlip|Rotation|Affine|Erasing|VerticalFlip)|ColorJitter|RandAugment)$"
)


@SPLITS("selected-on-test")
def selected_on_test(subject: Subject) -> Iterator[Hit]:
    """Which weights are kept is decided by the score on the test set."""
    for path, facts in subject.project.main_facts.items():
        for call in facts.calls:
            if call.last not in ("save", "save_model", "save_checkpoint", "save_weights", "deepcopy"):
                continue
            for guard in call.guards:
                text = ast.unparse(guard.test)
                if (
                    guard.holds
                    and re.search(r"\bbest\w*|\w+_best\b", text)
                    and re.search(r"\btest_?(acc|loss|f1|score|auc|err)", text)
                ):
                    yield Hit(path, call.line, "the weights that are kept are the best on the test set", "medium")
