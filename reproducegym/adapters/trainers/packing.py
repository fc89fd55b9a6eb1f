"""Takes what an agent left out of a sandbox that is a framework's own: a script for inside, a reader for the host."""

import io
from collections.abc import Iterable

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError, read_archive
from reproducegym.ports import CopyLimits, Files

__all__ = ["PIECE_BYTES", "pack_script", "pieces_named", "unpacked"]

_PACKED = ".reproducegym-submission.tar"
PIECE_BYTES = 64 * 2**20
"""What one reading of a file out of a sandbox brings, in bytes: inspect-ai refuses more than 100 MiB."""


def pack_script(limits: CopyLimits) -> str:
    """A script for `bash -c SCRIPT - DIRECTORY` that packs all below the directory but its `input_files`.

    It prints the names of the archive's pieces in their order, relative to the directory. What is more than the
    limits allow is not packed: the script says so on stderr, and fails, as it does where something cannot be read.
    """
    return f"""cd "$1" && rm -rf {_PACKED}* || exit
count=0 total=0
while read -r kind size; do
  count=$((count + 1))
  [ "$kind" = f ] && total=$((total + size))
done < <(find . -mindepth 1 -path ./input_files -prune -o -printf '%y %s\\n')
if [ $count -gt {limits.max_files} ] || [ $total -gt {limits.max_bytes} ]; then
  echo "more than {limits.max_files} files or {limits.max_bytes} bytes" >&2
  exit 3
fi
tar --exclude=./input_files --exclude='./{_PACKED}*' -cf {_PACKED} .
[ $? -le 1 ] || exit 2  # 1: a file grew meanwhile, as logs do
split -b {PIECE_BYTES} -d -a 4 {_PACKED} {_PACKED}. && rm {_PACKED} && printf '%s\\n' {_PACKED}.*
"""


def pieces_named(printed: str, limits: CopyLimits) -> list[str]:
    """The names that the script printed.

    Raises:
        RefusedFileError: there are more than the limits allow; it ran where the agent could change anything.
    """
    names = printed.split()
    if len(names) > 2 * limits.max_bytes // PIECE_BYTES + 1:
        raise RefusedFileError("size", "files", f"the archive has {len(names)} pieces")
    return names


def unpacked(pieces: Iterable[bytes], limits: CopyLimits) -> Files:
    """The files in the pieces of an archive, in their order.

    Raises:
        RefusedFileError: it is no archive, one of its files may not be submitted, or they are too many or too large.
    """
    try:
        return read_archive(io.BytesIO(b"".join(pieces)), limits, root=".")
    except InfrastructureError as error:  # it was made inside
        raise RefusedFileError("unreadable", "files", str(error)) from error
