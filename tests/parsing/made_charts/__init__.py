"""Charts drawn by code with known truth, placed into papers, and a scorer for what a reader makes of them."""
