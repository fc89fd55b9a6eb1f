"""What a paper prints: numbers in all their spellings, names, lines of tables, parts of the text."""
