"""Reads Python: files and notebooks to syntax trees, trees to facts, facts to a graph of what runs from where."""
