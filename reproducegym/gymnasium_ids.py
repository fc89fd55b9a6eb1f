"""Makes the auditor's environments known to Gymnasium as soon as both are loaded, in whichever order.

Gymnasium takes half a second to load and is an extra, so this package never loads it: it waits for it.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

__all__ = ["announce"]

_REGISTRY = "gymnasium.envs.registration"
_ENTRY = "reproducegym.cli.environments:audit_environment"


def announce() -> None:
    """Register the environments now if Gymnasium is loaded, else when it is."""
    if _REGISTRY in sys.modules:
        _register()
    elif not any(isinstance(finder, _Waiting) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Waiting())


def _register() -> None:
    from gymnasium.envs.registration import register, registry

    for level in ("easy", "medium", "hard"):
        name = f"ReproAudit-{level.title()}-v0"
        if name not in registry:
            register(id=name, entry_point=_ENTRY, kwargs={"level": level})


class _Waiting(MetaPathFinder):
    """Finds Gymnasium's registry as everybody would, and registers once it has run."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != _REGISTRY:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _register()
