"""Statistics of rewards, and the page that shows them."""
