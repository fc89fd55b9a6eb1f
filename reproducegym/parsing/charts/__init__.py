"""Reads vector charts from the drawing commands of a page: axes, series, names."""
