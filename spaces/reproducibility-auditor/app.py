"""Where a Space begins: serves the application on the port that PORT names, 7860 by default."""

from server import main

if __name__ == "__main__":
    main()
