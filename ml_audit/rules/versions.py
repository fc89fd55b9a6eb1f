"""Which versions of libraries a repository declares, as far as they are known."""

import re
from collections.abc import Iterable

from ml_audit.texts.dependencies import Environment

__all__ = ["Versions"]

_NUMBER = re.compile(r"(?:==|~=|>=|\^|^=?)\s*v?(\d+)(?:\.(\d+))?")


class Versions:
    """Lowest declared versions by name of the distribution."""

    def __init__(self, environments: Iterable[Environment]) -> None:
        self._lowest: dict[str, tuple[int, int]] = {}
        for environment in environments:
            for told in environment.declared:
                if found := _NUMBER.search(told.specifier):
                    number = (int(found.group(1)), int(found.group(2) or 0))
                    self._lowest.setdefault(re.sub(r"[._]", "-", told.name.lower()), number)

    def may_be(self, name: str, *, before: tuple[int, int]) -> bool:
        """Whether the library may be older than a version; an undeclared one counts as new."""
        return self._lowest.get(name, (999, 0)) < before

    def at_least(self, name: str, version: tuple[int, int]) -> bool:
        """Whether the library is that version or newer; an undeclared one counts as new."""
        return self._lowest.get(name, (999, 0)) >= version
