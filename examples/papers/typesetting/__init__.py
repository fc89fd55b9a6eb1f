"""What the sample papers share: the layout of results.json, printed cells, figure and page style, and the build."""
