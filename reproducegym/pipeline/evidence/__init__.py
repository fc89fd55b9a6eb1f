"""What an extractor may look up in a paper, within its caps."""
