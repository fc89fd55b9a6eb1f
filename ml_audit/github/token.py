"""The token: from the environment or `.env`, never from the command line, and never printed."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ml_audit.github.faults import MisnamedError

__all__ = ["TOKEN_NAME", "Token", "token_in"]

TOKEN_NAME = "GITHUB_TOKEN"  # noqa: S105 -- the name of a variable
_SYNTAX = re.compile(r"[!-~]{1,1024}")


@dataclass(frozen=True, slots=True)
class Token:
    """A secret that does not show in its own `repr`."""

    value: str = field(repr=False)


def token_in(environ: Mapping[str, str], directory: Path, name: str | None = None) -> Token | None:
    """The token of the environment, else of `.env` in a directory; none where neither sets it.

    Raises:
        MisnamedError: a variable was named and is set nowhere, or what it holds can be no token.
    """
    wanted = name or TOKEN_NAME
    value = environ.get(wanted, "").strip() or _filed(directory / ".env", wanted)
    if not value:
        if name is not None:
            raise MisnamedError(  # the name is not repeated: it may be a token
                "--token-env: the environment and .env set no such variable; give a name, never the token itself"
            )
        return None
    if _SYNTAX.fullmatch(value) is None:
        raise MisnamedError(f"{wanted} holds a space or a character that no token has; set it again")
    return Token(value)


def _filed(path: Path, name: str) -> str:
    if not path.is_file():
        return ""
    from dotenv import dotenv_values

    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MisnamedError(f"{path}: cannot be read ({type(error).__name__}); mend or remove it") from None
    return (dotenv_values(stream=io.StringIO(text), interpolate=False).get(name) or "").strip()
