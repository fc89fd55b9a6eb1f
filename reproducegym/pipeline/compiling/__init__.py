"""From a claim to its contract."""
