"""Serves built tasks as an environment of OpenEnv: a reset gives a task, a step takes a submission."""
