"""Keeps built papers and attempts where an fsspec URL points: a directory, memory, S3 and what speaks like it."""
