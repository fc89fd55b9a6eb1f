"""What an agent may see of a paper, and the search for what it must not see."""
