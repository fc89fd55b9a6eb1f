"""Which backend is taken, and what is said when one, or none, works."""

import subprocess
import sys
import textwrap

import pytest

from reproducegym.errors import MisuseError, SandboxUnavailableError
from reproducegym.sandbox.choose import choose
from reproducegym.sandbox.docker import DockerSandbox
from reproducegym.sandbox.namespaces import NamespacesSandbox


@pytest.mark.docker
def test_auto_takes_docker_when_the_engine_has_the_image(docker_image: str) -> None:
    sandbox, line = choose("auto", docker_image)
    assert sandbox.name == "docker"
    assert docker_image in line


@pytest.mark.docker
def test_auto_without_the_image_says_how_to_make_it_and_goes_on(docker_image: str) -> None:
    choice = choose("auto", "no-such/image")
    assert choice.sandbox.name == "namespaces"
    assert "no image no-such/image" in choice.line
    assert "build-base.sh" in choice.line
    with pytest.raises(SandboxUnavailableError, match="build-base"):
        choose("docker", "no-such/image")


@pytest.mark.docker
def test_an_image_has_one_id_by_all_its_names(docker_image: str) -> None:
    sandbox = DockerSandbox()
    assert sandbox.image_id(docker_image) == sandbox.image_id(f"{docker_image}:latest")
    assert sandbox.image_id(docker_image).startswith("sha256:")


def test_an_engine_that_does_not_answer_is_said_in_one_line() -> None:
    availability = DockerSandbox("unix:///nowhere/docker.sock").availability()
    assert not availability.works
    assert availability.detail.startswith("no Docker engine answers")
    assert "\n" not in availability.detail


def test_without_the_sdk_the_line_says_what_to_install() -> None:
    script = textwrap.dedent(
        """
        import sys
        sys.modules["docker"] = None
        from reproducegym.sandbox.choose import choose
        from reproducegym.sandbox.docker import DockerSandbox
        print(DockerSandbox().availability().detail)
        print(choose("auto", "reproducegym/base").line)
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert "pip install 'reproducegym[docker]'" in first
    assert second.endswith("using the namespaces sandbox")


def test_where_nothing_works_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    monkeypatch.setattr("reproducegym.sandbox.namespaces.TOOL_PATH", "/nowhere")
    with pytest.raises(SandboxUnavailableError) as error:
        choose("auto", "reproducegym/base")
    line = str(error.value)
    assert "\n" not in line
    assert "no Docker engine answers" in line
    assert "install bubblewrap" in line


def test_an_unknown_backend_is_misuse() -> None:
    with pytest.raises(MisuseError, match="auto, docker, namespaces"):
        choose("chroot", "reproducegym/base")


def test_the_namespaces_image_is_a_stable_digest_of_this_machine_s_software() -> None:
    first, second = NamespacesSandbox().image_id("a"), NamespacesSandbox().image_id("b")
    assert first == second
    assert first.startswith("sha256:")
