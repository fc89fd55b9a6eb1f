"""The reward service: submissions come in by HTTP, wait in a queue on disk, and are verified in fresh sandboxes."""
