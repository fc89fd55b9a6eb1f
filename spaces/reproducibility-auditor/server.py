"""The application of this Space: `uvicorn server:app --port 7860`."""

from reproducegym.cli.auditor_serving import serve_space, space_app

__all__ = ["app", "main"]

app = space_app()


def main() -> None:
    """Serve on all addresses, or on HOST; PORT names the port, and ALSO_PORT another one."""
    serve_space(app)


if __name__ == "__main__":
    main()
