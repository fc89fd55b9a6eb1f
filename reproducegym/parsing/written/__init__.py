"""What papers that are given as text share, Markdown and LaTeX: words with places, label columns of tables."""
