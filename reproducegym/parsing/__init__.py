"""Reads papers: PDF and Markdown, from files, URLs and arXiv."""
