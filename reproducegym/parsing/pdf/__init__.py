"""Puts a PDF's paper together from what its pages hold."""
