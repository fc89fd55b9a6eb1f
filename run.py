"""Runs an agent on a task and scores what it leaves: `python run.py --claim-id <claim_id> --agent script:solve.sh`."""

from reproducegym.cli.app import script

if __name__ == "__main__":
    script("run")
