"""What becomes of what extractors propose: merged, ranked, refused in words, shown to people."""
