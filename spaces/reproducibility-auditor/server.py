"""The application of this Space: `uvicorn server:app --port 7860`."""

import os

import uvicorn

from reproducegym.cli.auditor_serving import app as auditor

__all__ = ["app", "main"]

app = auditor()


def main() -> None:
    """Serve on all addresses, or on HOST; PORT names the port."""
    host, port = os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "7860"))  # noqa: S104
    uvicorn.run(app, host=host, port=port, ws_max_size=1 << 20)


if __name__ == "__main__":
    main()
