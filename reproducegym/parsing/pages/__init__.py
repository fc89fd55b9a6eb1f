"""Reads the pages of a PDF: words, lines, drawings, columns, captions, and what repeats around the text."""
