"""Reads a paper into runs/<paper_id>/00-parse: `python parse_paper.py --pdf paper.pdf`."""

from reproducegym.cli.app import script

if __name__ == "__main__":
    script("parse")
