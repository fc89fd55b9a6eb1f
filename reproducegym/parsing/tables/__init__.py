"""From the words and rules of a page to cells with row and column paths."""
