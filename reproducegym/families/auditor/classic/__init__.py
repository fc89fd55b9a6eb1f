"""Classic mode: snippets with planted violations, judged by names and keywords alone."""
