"""Reads numbers as papers print them; the only number reader of the house."""
