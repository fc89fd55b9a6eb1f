"""The nouns of the house: frozen, closed, strict models, and their JSON Schemas."""
