"""A number of a claim is found again at its page and box, or refused."""
