"""A linear model and its data."""
