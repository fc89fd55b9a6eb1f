"""Serves built tasks as an environment of OpenEnv: a reset gives a task, a step takes a submission."""

from reproducegym.adapters.openenv_import import postpone_web_interface

__all__: list[str] = []

postpone_web_interface()
