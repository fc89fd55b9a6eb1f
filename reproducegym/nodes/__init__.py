"""Machines that an operator lends to runs: which there are, how they are reached, what goes on there."""
