"""Turns a parsed paper into tasks with contracts: `python build_claim_tasks.py --paper runs/<paper_id>`."""

from reproducegym.cli.app import script

if __name__ == "__main__":
    script("build")
