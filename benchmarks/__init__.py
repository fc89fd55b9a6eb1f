"""Speed and memory of the product, measured side by side with a peer or a floor in one run: `make bench`."""
