"""A model plays the environment: API_BASE_URL, MODEL_NAME and HF_TOKEN say which; `--help` shows the rest."""

import sys

from reproducegym.cli.app import main

if __name__ == "__main__":
    sys.argv[1:1] = ["auditor", "infer"]
    main()
