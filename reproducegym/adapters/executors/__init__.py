"""Places where pieces of work run."""
