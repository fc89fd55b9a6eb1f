"""`python locked.py LOCK`: prints the part of our lock file, with its hashes, that ml-audit needs."""

import re
import sys
from pathlib import Path

NEEDED = frozenset(
    {
        "annotated-types",
        "anyio",
        "certifi",
        "h11",
        "httpcore",
        "httpx",
        "idna",
        "jinja2",
        "markdown-it-py",
        "markupsafe",
    }
    | {"mdurl", "pydantic", "pydantic-core", "pygments", "python-dotenv", "pyyaml", "rich", "typing-extensions"}
    | {"typing-inspection"}
)
"""What `ml_audit` imports, and what that imports."""


def locked(lock: str) -> str:
    """The entries of those packages, each a pin with its hashes."""
    found = {m[1]: m[0] for m in re.finditer(r"^([a-z0-9-]+)==\S+(?: \\\n    --hash=\S+)+", lock, re.MULTILINE)}
    if lacking := NEEDED - set(found):
        raise SystemExit(f"the lock file lacks {', '.join(sorted(lacking))}")
    return "".join(f"{found[name]}\n" for name in sorted(NEEDED))


if __name__ == "__main__":
    sys.stdout.write(locked(Path(sys.argv[1]).read_text(encoding="utf-8")))
