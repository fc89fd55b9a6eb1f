"""Reads PDFs with marker, an extra: it says what stands where, and the text comes from the PDF's own words."""
