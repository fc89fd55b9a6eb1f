"""`03-task/`: rendered tasks, each as one unit, and which of them can be run."""

from reproducegym.errors import AmbiguousError, NotFoundError
from reproducegym.pipeline.directories import names, read_tree, write_tree
from reproducegym.pipeline.store.products import ProductFiles
from reproducegym.ports import Files

__all__ = ["TaskFiles"]


class TaskFiles(ProductFiles):
    """The tasks of a paper, by claim id and spec hash."""

    def write_task(self, claim_id: str, spec_hash: str, files: Files) -> None:
        """Put a rendered task in place as one unit."""
        write_tree(self.task_directory(claim_id, spec_hash), files)

    def has_task(self, claim_id: str, spec_hash: str) -> bool:
        """Whether a whole task stands here."""
        return self.task_directory(claim_id, spec_hash).is_dir()

    def read_task(self, claim_id: str, spec_hash: str) -> dict[str, bytes]:
        """All files of a task as they stand; `seal.check_digest` says whether they are the built ones.

        Raises:
            NotFoundError: there is no such task.
        """
        directory = self.task_directory(claim_id, spec_hash)
        if not directory.is_dir():
            raise NotFoundError(
                f"no task {claim_id} with spec hash {spec_hash} at {directory}; run build_claim_tasks.py"
            )
        return read_tree(directory)

    def claims(self) -> tuple[str, ...]:
        """Claim ids that have a rendered task."""
        return names(self.root / "03-task")

    def versions(self, claim_id: str) -> tuple[str, ...]:
        """Spec hashes of the rendered tasks of a claim."""
        return names(self._inside("03-task", claim_id))

    def find_task(self, claim_id: str, spec_hash: str | None) -> tuple[str, str]:
        """Claim id and spec hash of the one task that is meant.

        Raises:
            NotFoundError: there is none; the message lists what there is.
            AmbiguousError: the claim has several versions and none was named.
            SchemaError: the manifest does not fit.
        """
        found = self._runnable(claim_id)
        if not found:
            raise NotFoundError(
                f"paper {self.paper_id} has no task {claim_id!r}; it has: {', '.join(self.claims()) or 'none'}"
            )
        if spec_hash is None and len(found) > 1:
            raise AmbiguousError(
                f"claim {claim_id} has {len(found)} versions; name one with --spec-hash: {', '.join(found)}"
            )
        wanted = found[0] if spec_hash is None else spec_hash
        if wanted not in found:
            raise NotFoundError(f"claim {claim_id} has no version {wanted!r}; it has: {', '.join(found)}")
        return claim_id, wanted

    def _runnable(self, claim_id: str) -> tuple[str, ...]:
        """Versions of a claim that stand here and that the manifest, if there is one, lists."""
        found = self.versions(claim_id)
        if not found or not self.has_manifest():
            return found
        manifest = self.manifest()
        listed = {(one.claim_id, one.spec_hash) for one in (*manifest.tasks, *manifest.earlier)}
        return tuple(one for one in found if (claim_id, one) in listed)
