"""Reads a PDF's pages with PyMuPDF, and puts the paper together."""
