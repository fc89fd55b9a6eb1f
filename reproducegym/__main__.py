"""`python -m reproducegym` is the program `reproducegym`."""

from reproducegym.cli.app import main

if __name__ == "__main__":
    main()
