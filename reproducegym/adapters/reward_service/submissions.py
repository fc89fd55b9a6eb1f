"""Reads a submission out of a request's body: a tar, a zip, or JSON, under the rules for all that leaves a sandbox."""

import base64
import io
import json
import stat
import zipfile
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from pydantic import ValidationError

from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.wire import SubmissionFiles
from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_apart, check_name, read_archive
from reproducegym.ports import CopyLimits, Files
from reproducegym.schema.names_once import names_once

__all__ = ["FORMS", "read_submission"]

_CHUNK = 1 << 16


def read_submission(body: bytes, form: str, limits: CopyLimits) -> Files:
    """The files of a body of one media type.

    Raises:
        RefusedRequestError: the type is unknown, the body is damaged, or a file may not be submitted.
    """
    kind = form.partition(";")[0].strip().lower()
    if kind not in FORMS:
        raise RefusedRequestError(415, "unknown_form", f"send one of {', '.join(FORMS)}, not {kind or 'nothing'!r}")
    try:
        files = FORMS[kind](body, limits)
        check_apart(files)
    except RefusedFileError as error:
        status = 413 if error.reason in ("size", "count") else 400
        raise RefusedRequestError(status, "too_large" if status == 413 else "refused_file", str(error)) from error
    return files


def _of_tar(body: bytes, limits: CopyLimits) -> Files:
    try:
        return read_archive(io.BytesIO(body), limits, root="")
    except InfrastructureError as error:
        raise RefusedRequestError(400, "bad_archive", "the tar is damaged, cut off, or no plain tar") from error


def _of_zip(body: bytes, limits: CopyLimits) -> Files:
    """Every file of a zip; what a member says of its size is not believed."""
    files: dict[str, bytes] = {}
    left = limits.max_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            if len(archive.infolist()) > limits.max_files:
                raise RefusedFileError("count", "files", f"there are more than {limits.max_files} files")
            for member in archive.infolist():
                name = member.filename.rstrip("/") if member.is_dir() else member.filename
                check_name(name)
                mode = member.external_attr >> 16
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR) or mode & 0o6000:
                    raise RefusedFileError("link", name, "only plain files and directories can be submitted")
                if name in files:
                    raise RefusedFileError("duplicate", name, "this name stands twice in the archive")
                if not member.is_dir():
                    files[name] = _inflated(archive, member, min(left, limits.max_file_bytes))
                    left -= len(files[name])
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise RefusedRequestError(400, "bad_archive", "the zip is damaged, encrypted, or no zip") from error
    return files


def _inflated(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    found = io.BytesIO()
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            if found.tell() + len(chunk) > most:
                raise RefusedFileError("size", member.filename, "the files are larger than may be submitted")
            found.write(chunk)
    return found.getvalue()


def _of_json(body: bytes, limits: CopyLimits) -> Files:
    try:
        told = SubmissionFiles.from_json(body)
        json.loads(body.decode(), object_pairs_hook=names_once)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the body"
        raise RefusedRequestError(400, "bad_request", f"the JSON does not fit: {place}: {first['msg']}") from error
    except ValueError as error:
        raise RefusedRequestError(400, "bad_request", f"the JSON does not fit: {error}") from error
    try:
        files = {name: text.encode() for name, text in told.files.items()}
        files |= {name: base64.b64decode(text, validate=True) for name, text in told.files_base64.items()}
    except ValueError as error:  # binascii's, or the text has letters that are none of base64
        raise RefusedRequestError(400, "bad_request", "files_base64 holds what is no base64") from error
    for name in files:
        check_name(name)
    for name in told.files.keys() & told.files_base64.keys():
        raise RefusedFileError("duplicate", name, "this name stands in files and in files_base64")
    if len(files) > limits.max_files:
        raise RefusedFileError("count", "files", f"there are more than {limits.max_files} files")
    if sum(map(len, files.values())) > limits.max_bytes:
        raise RefusedFileError("size", "files", f"all files together exceed {limits.max_bytes} bytes")
    return files


FORMS: Mapping[str, Callable[[bytes, CopyLimits], Files]] = MappingProxyType(
    {"application/x-tar": _of_tar, "application/zip": _of_zip, "application/json": _of_json}
)
"""What a submission may be sent as, by media type."""
