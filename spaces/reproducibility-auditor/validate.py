"""The suite before a submission, against a running server: `python validate.py http://127.0.0.1:7860`."""

import sys

from reproducegym.cli.app import main

if __name__ == "__main__":
    sys.argv[1:1] = ["auditor", "validate"]
    main()
