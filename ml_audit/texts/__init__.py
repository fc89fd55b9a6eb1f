"""Reads what is not Python: documents, shell scripts, dependencies, configuration, images, continuous integration."""
