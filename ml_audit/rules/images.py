"""Rules about images: whether there is one, and whether it is the same next month."""

import re
from collections.abc import Iterator

from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.files import docker_bases, dockerfiles

__all__ = ["IMAGES"]

IMAGES = family("environment")


@IMAGES("dockerfile-missing")
def dockerfile_missing(subject: Subject) -> Iterator[Hit]:
    """No Dockerfile."""
    if subject.signals["has_dockerfile"].value == "no":
        yield Hit(".", 0, "nothing builds an image")


@IMAGES("docker-base-floats")
def docker_base_floats(subject: Subject) -> Iterator[Hit]:
    """A base image without a digest."""
    for path in dockerfiles(subject.project)[:1]:
        for line, base in docker_bases(subject.project, path):
            if "@sha256:" not in base:
                version = ":" in base.rsplit("/", maxsplit=1)[-1] and not base.endswith(":latest")
                yield Hit(
                    path, line, f"{base} " + ("has a version, and no digest" if version else "is whatever is newest")
                )


@IMAGES("docker-pip-floats")
def docker_pip_floats(subject: Subject) -> Iterator[Hit]:
    """An image installs names without versions."""
    for path in dockerfiles(subject.project):
        for number, line in enumerate(subject.project.texts.get(path, "").splitlines(), 1):
            found = re.search(r"\bpip3?\s+install\s+(.*)", line)
            if found is None or re.search(r"(^|\s)(-r|-e|--requirement|\.)", found.group(1)):
                continue
            names = [w for w in re.split(r"[\s;&|\\]+", found.group(1)) if re.match(r"^[A-Za-z][\w.\[\]-]*$", w)]
            names = [n for n in names if n not in ("pip", "setuptools", "wheel")]
            if names:
                yield Hit(path, number, f"installs {', '.join(names[:4])} without a version")
