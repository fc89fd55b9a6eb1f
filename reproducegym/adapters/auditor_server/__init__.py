"""The auditor environment behind HTTP and WebSocket, as OpenEnv clients and plain HTTP clients speak to it."""

from reproducegym.adapters.openenv_import import postpone_web_interface

__all__: list[str] = []

postpone_web_interface()
