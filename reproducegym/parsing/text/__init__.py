"""From lines to sections, paragraphs and sentences."""
