"""Every report that was made, in one SQLite file."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from ml_audit.dashboard.faults import HistoryError, UnknownAuditError
from ml_audit.dashboard.kept import Audited, Known, Summary
from ml_audit.report import Interval, Report

__all__ = ["History"]

APPLICATION = 0x6D6C6175
"""Marks a file as ours (`PRAGMA application_id`)."""

VERSION = 1
SCORES_SHOWN = 30
"""Latest scores of a repository that a list of repositories has."""

_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS audits (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at TEXT NOT NULL,
  repository TEXT NOT NULL, commit_id TEXT, score REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
  risk TEXT NOT NULL, badge TEXT NOT NULL, findings INTEGER NOT NULL, report BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS audits_by_key ON audits (key, id);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
_COLUMNS = "id, key, at, repository, commit_id, score, low, high, risk, badge, findings"
_LATEST = f"""
SELECT {_COLUMNS}, number, total FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY key ORDER BY id DESC) AS number,
  COUNT(*) OVER (PARTITION BY key) AS total FROM audits) WHERE number <= ? ORDER BY key, id
"""  # noqa: S608 -- constants alone
_REASONS = {
    "SQLITE_BUSY": "is locked by another program; end that, or name another file with --history",
    "SQLITE_LOCKED": "is locked by another program; end that, or name another file with --history",
    "SQLITE_FULL": "cannot grow: its disk is full; free space",
    "SQLITE_IOERR": "cannot be read or written: its disk is full or broken",
    "SQLITE_NOTADB": "is damaged or no history of ml-audit; move it away, or name another file with --history",
    "SQLITE_CORRUPT": "is damaged or no history of ml-audit; move it away, or name another file with --history",
    "SQLITE_CANTOPEN": "cannot be opened; its directory must be there and writable",
    "SQLITE_READONLY": "cannot be written; change its permissions, or name another file with --history",
}


@dataclass(frozen=True, slots=True)
class History:
    """A file of audits; `patience_s` is how long to wait for other programs that write to it."""

    path: Path
    patience_s: float = 5.0

    def prepare(self) -> None:
        """Make the file and its tables where they are missing, readable for their owner alone.

        Raises:
            HistoryError: it cannot be made, or is no history of this version.
        """
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600)
        except OSError as error:
            raise HistoryError(
                f"{self.path}: cannot be made ({error.strerror}); name another file: --history FILE"
            ) from None
        with self._open() as connection:
            (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
            (marked,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if tables and marked != APPLICATION:
                raise HistoryError(f"{self.path}: belongs to another program; name another file: --history FILE")
            if version > VERSION:
                raise HistoryError(
                    f"{self.path}: was written by a newer ml-audit; use that, or name another file: --history FILE"
                )
            connection.execute("PRAGMA journal_mode = WAL")  # pages are read while an audit is written
            connection.executescript(_TABLES)
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise HistoryError(f"{self.path}: {_REASONS['SQLITE_CORRUPT']}")

    def add(self, key: str, at: str, report: Report) -> Audited:
        """Keep a report, whole or not at all."""
        low, high = report.score_interval.low, report.score_interval.high
        row = (key, at, report.repository, report.commit, report.score, low, high, report.risk, report.badge)
        packed = zlib.compress(report.model_dump_json().encode("utf-8", "surrogatepass"))
        with self._open() as connection:
            made = connection.execute(
                "INSERT INTO audits (key, at, repository, commit_id, score, low, high, risk, badge, findings, report)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, len(report.findings), packed),
            )
            return Audited(id=made.lastrowid or 0, key=key, at=at, report=report)

    def repositories(self) -> tuple[Known, ...]:
        """All repositories, that of the latest audit first."""
        grouped: dict[str, list[tuple[Summary, int]]] = {}
        with self._open() as connection:
            for *row, _, total in connection.execute(_LATEST, (SCORES_SHOWN,)):
                grouped.setdefault(row[1], []).append((_summary(row), total))
        known = [
            Known(key=key, audits=rows[-1][1], latest=rows[-1][0], scores=tuple(s.score for s, _ in rows))
            for key, rows in grouped.items()
        ]
        return tuple(sorted(known, key=lambda k: -k.latest.id))

    def audits(self, key: str | None = None, most: int = 200) -> tuple[Summary, ...]:
        """The latest audits, of one repository or of all, latest first."""
        with self._open() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM audits WHERE ? IS NULL OR key = ? ORDER BY id DESC LIMIT ?",  # noqa: S608
                (key, key, most),
            ).fetchall()
        return tuple(_summary(row) for row in rows)

    def audit(self, number: int) -> Audited:
        """One audit by its id."""
        return self._one("id = ?", number, f"there is no audit {number}")

    def latest(self, key: str) -> Audited:
        """The latest audit of a repository."""
        return self._one("key = ?", key, f"{key}: has not been audited here")

    def _one(self, condition: str, value: int | str, missing: str) -> Audited:
        with self._open() as connection:
            row = connection.execute(
                f"SELECT id, key, at, report FROM audits WHERE {condition} ORDER BY id DESC LIMIT 1",  # noqa: S608
                (value,),
            ).fetchone()
        if row is None:
            raise UnknownAuditError(missing)
        number, key, at, packed = row
        try:
            report = Report.model_validate_json(zlib.decompress(packed))
        except (zlib.error, ValidationError):
            raise HistoryError(
                f"{self.path}: audit {number} of {key} is damaged or of another version; audit again"
            ) from None
        return Audited(id=number, key=key, at=at, report=report)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            address = f"{self.path.absolute().as_uri()}?mode=rw"
            with closing(sqlite3.connect(address, uri=True, timeout=self.patience_s)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            reason = next(
                (told for code, told in _REASONS.items() if name.startswith(code)), f"fails ({name or error})"
            )
            raise HistoryError(f"{self.path}: {reason}") from error


def _summary(row: "list[str | int | float | None] | tuple[str | int | float | None, ...]") -> Summary:
    number, key, at, repository, commit, score, low, high, risk, badge, findings = row
    return Summary.model_validate(
        {"id": number, "key": key, "at": at, "repository": repository, "commit": commit, "score": score}
        | {"score_interval": Interval.model_validate({"low": low, "high": high}), "risk": risk, "badge": badge}
        | {"findings": findings}
    )
