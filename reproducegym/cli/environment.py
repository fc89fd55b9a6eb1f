"""Settings of models: from `.env` in the working directory, else from the shell; key and address never from both.

A key is only ever sent to a host that was set in the same place: a `.env` that came with somebody else's files must not
draw the shell's key to an address of its own.
"""

import io
import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import ValidationError

from reproducegym.adapters.llm import Endpoint
from reproducegym.errors import MisuseError, ModelUnavailableError
from reproducegym.schema.config import LlmConfig

__all__ = ["ANTHROPIC", "OPENAI", "ModelSettings", "Vendor", "model_settings", "named", "use_only"]

_FILE = ".env"
_SHELL = "the shell's environment"
_KEY_SYNTAX = re.compile(r"[!-~]{1,4096}")


@dataclass(frozen=True)
class Vendor:
    """How the settings of one vendor's API begin, where it is asked by default, and which further ones are secret."""

    prefix: str
    default: str
    secrets: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.prefix}API_KEY"

    @property
    def url(self) -> str:
        return f"{self.prefix}BASE_URL"

    @property
    def model(self) -> str:
        return f"{self.prefix}MODEL"

    @property
    def log(self) -> str:
        return f"{self.prefix}LOG"


OPENAI = Vendor(
    "OPENAI_", "https://api.openai.com/v1", ("OPENAI_ADMIN_KEY", "OPENAI_WEBHOOK_SECRET", "OPENAI_CUSTOM_HEADERS")
)
ANTHROPIC = Vendor("ANTHROPIC_", "https://api.anthropic.com", ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"))


@dataclass(frozen=True)
class ModelSettings:
    """Endpoint and model as they were set; `line` says where, without the key. `variables` are all of the source."""

    endpoint: Endpoint
    model: str | None
    line: str
    variables: Mapping[str, str]


def model_settings(directory: Path, shell: Mapping[str, str], vendor: Vendor = OPENAI) -> ModelSettings:
    """Where models are asked.

    Raises:
        ModelUnavailableError: no key is set.
        MisuseError: `.env` cannot be read, or a setting is none that can be used.
    """
    ambient = {name: value for name, value in shell.items() if name.startswith(vendor.prefix) and value.strip()}
    in_file = _file_settings(directory / _FILE, vendor.prefix)
    filed = vendor.key in in_file or vendor.url in in_file
    variables, source = (in_file, _FILE) if filed else (ambient, _SHELL)
    if vendor.key not in variables:
        raise ModelUnavailableError(_no_key(vendor, filed=filed, elsewhere=vendor.key in ambient))
    key, url = variables[vendor.key].strip(), variables.get(vendor.url, vendor.default).strip()
    if _KEY_SYNTAX.fullmatch(key) is None:
        raise MisuseError(f"{vendor.key} in {source} has a space or a character that no key has; set it again")
    _check_url(url, source, vendor)
    others = tuple(part for name in vendor.secrets if name in variables for part in re.split(r"[\n:]", variables[name]))
    endpoint = Endpoint(url, key, source, tuple(part.strip() for part in others if part.strip()))
    model = in_file.get(vendor.model, variables.get(vendor.model))
    line = _line(endpoint, sorted(set(ambient) - {vendor.log}) if filed else [], given=vendor.url in variables)
    return ModelSettings(endpoint, None if model is None else model.strip(), line, variables)


def named(settings: LlmConfig, chosen: ModelSettings) -> LlmConfig:
    """The configuration with `OPENAI_MODEL` where it names no model of its own.

    Raises:
        MisuseError: that is no name of a model.
    """
    if settings.model or chosen.model is None:
        return settings
    try:
        return LlmConfig.model_validate({**settings.model_dump(), "model": chosen.model})
    except ValidationError:
        raise MisuseError(f"{OPENAI.model} {chosen.model!r} is no name of a model") from None


def use_only(variables: Mapping[str, str], environ: MutableMapping[str, str]) -> None:
    """From here on the process sees only the OPENAI_* of the source: the SDK reads further ones by itself."""
    for name in [name for name in environ if name.startswith(OPENAI.prefix)]:
        del environ[name]
    environ.update(variables)


def _file_settings(path: Path, prefix: str) -> dict[str, str]:
    """What `.env` sets for models; nothing where there is none."""
    if not path.exists():
        return {}
    if not path.is_file():
        raise MisuseError(f"{path}: is no file; remove it")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise MisuseError(f"{path}: cannot be read ({type(error).__name__}); mend or remove it") from None
    for binding in parse_stream(io.StringIO(text)):
        if binding.error:
            raise MisuseError(f"{path}, line {binding.original.line}: is no NAME=value; mend it (an open quote?)")
    found = dotenv_values(stream=io.StringIO(text), interpolate=False)
    return {name: value for name, value in found.items() if name.startswith(prefix) and value and value.strip()}


def _no_key(vendor: Vendor, *, filed: bool, elsewhere: bool) -> str:
    if filed and elsewhere:
        return (
            f"{_FILE} sets {vendor.url} but no {vendor.key}, and the shell's key is not sent to an address that "
            f"{_FILE} names; set the key there too"
        )
    return f"no model is set up: set {vendor.key} (and {vendor.url}, {vendor.model}) in {_FILE} here, or in the shell"


def _check_url(url: str, source: str, vendor: Vendor) -> None:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known or not url.isascii() or re.search(r"[\s\x00-\x1f]", url):
        raise MisuseError(f"{vendor.url} in {source} is no http or https address like {vendor.default}")
    if parts.username is not None or parts.query or parts.fragment:
        raise MisuseError(f"{vendor.url} in {source} holds a password, a query or a fragment; give the plain address")


def _line(endpoint: Endpoint, ignored: list[str], *, given: bool) -> str:
    where = f"base URL {endpoint.base_url} " + (f"from {endpoint.source}" if given else "(the default)")
    parts = [f"models: {where}", f"key from {endpoint.source}"]
    if ignored:
        parts.append(f"{', '.join(ignored)} of the shell not used")
    if endpoint.base_url.startswith("http:") and not endpoint.is_loopback:
        parts.append("the connection is not encrypted")
    return "; ".join(parts)
