"""Programs that run inside a sandbox, on the standard library alone: they prepare a run and watch its process."""
