"""Lets OpenEnv be imported without its web interface, which our servers do not show.

OpenEnv's server imports it always, and with it gradio and pandas: more than half of the time that a server takes to
answer, of which its own validator grants 30 s. A stand-in waits until one of its functions is called.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

__all__ = ["postpone_web_interface"]

_NAME = "openenv.core.env_server.web_interface"


def postpone_web_interface() -> None:
    """From here on OpenEnv's web interface is loaded when it is first used; where it is loaded, nothing changes."""
    if _NAME not in sys.modules:
        sys.modules[_NAME] = _Later(_NAME)


class _Later(ModuleType):
    """The module before it is loaded: each of its names is a function that loads it and calls the real one."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("__"):
            raise AttributeError(name)

        def called(*words: object, **named: object) -> object:
            if sys.modules.get(_NAME) is self:
                del sys.modules[_NAME]
            real: object = getattr(import_module(_NAME), name)(*words, **named)
            return real

        return called
