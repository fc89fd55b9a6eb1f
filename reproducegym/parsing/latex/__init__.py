"""Reads the LaTeX source of a paper, and reconciles it with the PDF made from it."""
