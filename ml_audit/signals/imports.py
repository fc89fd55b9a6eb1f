"""Which frameworks a repository uses: by what its code imports."""

import re

from ml_audit.code.project import Project
from ml_audit.signals.answer import Place, Signal, answer

__all__ = ["uses"]

_SETTINGS = re.compile(r"(^|/)(configs?|conf|cfgs?)/")
PACKAGES = {
    "uses_pytorch": {"torch", "torchvision", "pytorch_lightning", "lightning", "torchaudio", "torch_geometric"},
    "uses_jax": {"jax", "flax", "optax", "haiku", "jaxlib"},
    "uses_tensorflow": {"tensorflow", "keras", "tensorflow_datasets", "tf_keras"},
    "uses_sklearn": {"sklearn"},
}


def uses(project: Project, name: str) -> Signal:
    """`yes` if the main code imports it, `partial` if only code put aside, settings or one notebook of many files."""
    found: dict[str, list[Place]] = {}
    for path, facts in project.facts.items():
        first: dict[str, Place] = {}
        for told in facts.imports:
            package = told.module.split(".")[0]
            if package in PACKAGES[name]:
                first.setdefault(package, Place(path, told.line))
        if first:
            found[path] = list(first.values())
    own = [p for p in found if project.role(p) != "aside"]
    if not found:
        return answer("no")
    scripts = sum(1 for p in project.facts if p.endswith(".py"))
    lonely = len(own) == 1 and own[0].endswith(".ipynb") and (scripts > 3 or len(project.facts) > 9)
    apart = name != "uses_sklearn" and len(own) == 1 and scripts > 24 and own[0] not in _started(project)
    aside = bool(own) and all(_SETTINGS.search(p) for p in own)
    return answer(
        "yes" if own and not lonely and not apart and not aside else "partial",
        [place for p in own or found for place in found[p]],
    )


def _started(project: Project) -> set[str]:
    """Files that main entry points run."""
    return {scope[0] for entry in project.main_entries for scope in entry.surely}
