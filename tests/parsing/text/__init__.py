"""Documents set by code, whose text is known, and what must be read in them."""
