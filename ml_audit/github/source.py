"""A source that fetches one commit of a repository as one archive."""

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, ValidationError

from ml_audit.github.address import FULL_NAME, Address, api_base, is_ref, web_base
from ml_audit.github.archive import Unpacked, unpacked
from ml_audit.github.cache import Cache
from ml_audit.github.faults import ArchiveError, EmptyRepositoryError, NotFoundError, StrangeAnswerError
from ml_audit.github.limits import Patience
from ml_audit.github.token import Token
from ml_audit.repository import Coverage, Repository
from ml_audit.sampling import MOST_FILES

if TYPE_CHECKING:
    from ml_audit.github.api import Api

__all__ = ["MOST_ARCHIVE", "GitHubRepository"]

MOST_ARCHIVE = 500_000_000
"""Bytes of an archive that are fetched; what comes after is missing, and the report says so."""

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class _About(BaseModel):
    """What we read of a repository's metadata."""

    model_config = ConfigDict(frozen=True, strict=True)

    full_name: str
    default_branch: str
    archived: bool = False


@dataclass(frozen=True, slots=True)
class GitHubRepository:
    """A repository behind the API of GitHub or of a GitHub Enterprise server."""

    address: Address
    api_url: str | None = None
    token: Token | None = field(default=None, repr=False)
    cache: Cache = field(default_factory=lambda: Cache(None))
    patience: Patience = field(default_factory=Patience)
    most_archive: int = MOST_ARCHIVE
    most_files: int = MOST_FILES

    def read(self) -> Repository:
        """Fetch metadata, commit and archive; what is kept and has not changed is not fetched again.

        Raises:
            SourceError: one of `ml_audit.github.faults`.
        """
        from ml_audit.github.api import conversing  # httpx takes 0.1 s to load

        base = api_base(self.api_url, self.address, secret=self.token is not None)
        with conversing(base, self.token, self.cache, self.patience) as api:
            about = self._about(api)
            commit = self._commit(api, about)
            found = self._archive(api, about, commit)
        if not found.listed:
            raise EmptyRepositoryError(f"{about.full_name}: holds no files")
        read, pointers = len(found.files), found.pointers
        partial = bool(found.cut) or read + pointers < found.relevant
        coverage = Coverage(len(found.listed), found.relevant, read, sampled=partial)
        notes, url = self._notes(about, found), f"{web_base(base)}/{about.full_name}"
        return Repository(about.full_name, found.files, found.listed, coverage, commit, notes, url)

    def _about(self, api: "Api") -> _About:
        asked = f"{self.address.owner}/{self.address.name}"
        answer = api.text(f"repos/{asked}", "application/vnd.github+json", asked)
        try:
            about = _About.model_validate_json(answer.body)
        except ValidationError:
            about = None
        if about is None or FULL_NAME.fullmatch(about.full_name) is None or not is_ref(about.default_branch):
            raise StrangeAnswerError(f"{asked}: {api.host} does not answer like GitHub's API; check --api-url")
        return about

    def _commit(self, api: "Api", about: _About) -> str:
        ref = self.address.ref or about.default_branch
        what = f"{about.full_name}@{ref}"
        path = f"repos/{about.full_name}/commits/{quote(ref, safe='/')}"
        answer = api.text(path, "application/vnd.github.sha", what, accepted=(409, 422))
        if answer.status == 409:
            raise EmptyRepositoryError(f"{about.full_name}: has no commit yet")
        if answer.status == 422:
            raise NotFoundError(f"{what}: no such branch, tag or commit")
        commit = answer.body.decode("ascii", "replace").strip()
        if _COMMIT.fullmatch(commit) is None:
            raise StrangeAnswerError(f"{what}: {api.host} does not name a commit; check --api-url")
        return commit

    def _archive(self, api: "Api", about: _About, commit: str) -> Unpacked:
        path = f"repos/{about.full_name}/tarball/{commit}"
        what = f"{about.full_name}: archive"
        url = f"{api.base}/{path}"
        if kept := self.cache.archive(url):
            try:
                found = unpacked(kept, most_files=self.most_files)
            except ArchiveError:
                found = None
            if found is not None and not found.cut:
                return found
        with tempfile.TemporaryDirectory(prefix="ml-audit-") as room:
            fetched = Path(room) / "archive.tar.gz"
            try:
                with fetched.open("w+b") as file:
                    answer = api.download(path, what, file, self.most_archive)
            except OSError as error:
                raise ArchiveError(f"{what}: cannot be kept in {tempfile.gettempdir()} ({error.strerror})") from None
            try:
                found = unpacked(fetched, most_files=self.most_files)
            except ArchiveError as error:
                raise ArchiveError(f"{about.full_name}: {error}") from None
            if answer.capped:
                found.cut = f"it is longer than {self.most_archive / 1e6:,.0f} MB or took too long"
            elif answer.broken:
                found.cut = "the connection broke off, also when tried again"
            if not found.cut:
                self.cache.keep_archive(url, fetched)
        return found

    def _notes(self, about: _About, found: Unpacked) -> tuple[str, ...]:
        asked = f"{self.address.owner}/{self.address.name}"
        modules = found.files.get(".gitmodules", b"").count(b"[submodule")
        told = {
            f"renamed: {asked} is now {about.full_name}": asked.lower() != about.full_name.lower(),
            "archived by its owners: it gets no repairs": about.archived,
            f"partial: of the archive only the first {len(found.listed):,} files were seen: {found.cut}": found.cut,
            f"{found.pointers} files are pointers to Git LFS, whose content was not fetched": found.pointers,
            f"{modules} submodules were not fetched": modules,
            f"{found.kept_out} patterns of .gitattributes keep files out of archives": found.kept_out,
            f"{found.unsafe} entries with unsafe names were left out": found.unsafe,
            f"none of its {len(found.listed):,} files is of a kind that is read": not found.relevant,
        }
        return tuple(note for note, holds in told.items() if holds)
