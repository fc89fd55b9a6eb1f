"""A contract is tried on made submissions before anybody works on it."""
