"""Which calls update parameters: optimizer steps, trainers, estimators that are fitted."""

import ast
import re

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call

__all__ = ["is_training_step", "is_update"]

_NOT_ESTIMATORS = re.compile(
    r"(scaler|vectori[sz]er|encoder|transformer|tokeni[sz]er|pca|imputer|binari[sz]er|normali[sz]er|tfidf|svd|umap|tsne"
    r"|bag_of_words|selector|kbins|label|columns|preprocess|bow|lda|nmf|reducer|text|curve|poly|scipy|stats|popt)",
    re.IGNORECASE,
)
_ESTIMATOR = re.compile(
    r"(model|clf|classif|regress|estim|pipe|reg$|knn|svm|svc|forest|tree|boost|grid|search|gs$|rf|net|learner|gbm|lr$|nb$|xgb"
    r"|lgb|mlp|ridge|lasso|kmeans|cluster|ae$|autoencoder|gan|vae|trainer|log_?reg|logistic|linear|bayes)",
    re.IGNORECASE,
)
_OPTIMIZER = re.compile(r"(optim|\bopt\b|opt_|_opt|scaler|adam|sgd)", re.IGNORECASE)


def is_update(call: Call) -> bool:
    """Whether a call is one step of an optimizer, written out by hand."""
    last, receiver = call.last, call.receiver
    if last == "step":
        types = call.name.startswith(("torch.optim.", "torch.cuda.amp.GradScaler", "torch.amp.GradScaler"))
        scheduler = re.search(r"sched|env|writer|bar|prof", receiver, re.IGNORECASE)
        return (types and "lr_scheduler" not in call.name) or (bool(_OPTIMIZER.search(receiver)) and not scheduler)
    if last in ("apply_gradients", "apply_gradient", "minimize", "apply_updates", "train_on_batch", "opt_update"):
        return "scipy" not in call.name
    if last == "backward" and re.search(r"engine|accelerator|loss|fabric|scale|total|\(\)", receiver):
        return True
    if last == "run" and "sess" in receiver:
        return any(re.search(r"(opt|train)_?(op|step)?\b", dotted(n)) for n in _names(call))
    given = {dotted(a).rpartition(".")[2] for a in call.node.args}
    return any(g in ("optimizer", "optim") for g in given) and any("loss" in g for g in given)


def is_training_step(call: Call) -> bool:
    """Whether a call trains: a step of an optimizer, or a framework's whole training."""
    if is_update(call):
        return True
    last, receiver, name = call.last, call.receiver, call.name
    if last in ("fit", "fit_generator", "partial_fit", "fit_predict"):
        told = name.rpartition(".")[0]
        if re.search(r"Trainer|Classifier|Regressor|keras|lightning|SearchCV|SVC|SVR|KMeans|Pipeline", told):
            return True
        if told.startswith("sklearn.") and not told.startswith(("sklearn.preprocessing", "sklearn.feature_extraction")):
            return not _NOT_ESTIMATORS.search(told)
        plain = receiver.rpartition(".")[2]
        return bool(_ESTIMATOR.search(plain)) and not _NOT_ESTIMATORS.search(plain)
    if last == "train" and (
        name in ("xgboost.train", "lightgbm.train") or re.search(r"trainer", receiver, re.IGNORECASE)
    ):
        return True
    return last == "learn" and (name.startswith("stable_baselines") or receiver in ("model", "agent", "self.model"))


def _names(call: Call) -> list[ast.expr]:
    return [n for a in call.node.args for n in ast.walk(a) if isinstance(n, ast.Name | ast.Attribute)]
