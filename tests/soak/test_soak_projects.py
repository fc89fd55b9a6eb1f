"""All base projects: five perturbed runs each, other seeds, hidden checks, and the seconds that they take."""

import json

import pytest
from project_runs import python_for, ran

from reproducegym.planting.project import BaseProject, base_projects

pytestmark = pytest.mark.soak

SECONDS = {"numpy": 1.0, "stub": 1.0, "sklearn": 3.0, "torch": 6.0}
"""Processor seconds that one run may take, imports included."""

LIBRARIES = sorted({one.library for one in base_projects()})


def proved(project: BaseProject) -> float:
    """Five runs alike, two other seeds that change the weights and pass the checks; the fastest run's seconds."""
    runs = [ran(project, number, checked=number == 0) for number in range(5)]
    assert len({(one.weights, one.metrics) for one in runs}) == 1, f"{project.name}: runs differ"
    metric = json.loads(runs[0].metrics)[project.metric]
    for seed in (77, 1234):
        other = ran(project, seed, seed=seed, checked=True)
        assert other.weights != runs[0].weights, f"{project.name}: seed {seed} changes nothing"
        assert isinstance(json.loads(other.metrics)[project.metric], type(metric))
    return min(one.seconds for one in runs)


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_base_project_gives_the_same_bytes_five_times(library: str, record_property):
    projects = [one for one in base_projects(library=library) if python_for(one) is not None]
    if not projects:
        pytest.skip("torch is not here: REPRODUCEGYM_TORCH_PYTHON names no Python that has it")
    seconds = {one.name: proved(one) for one in projects}
    slowest = max(seconds, key=lambda name: seconds[name])
    record_property("projects", len(seconds))
    record_property("slowest", f"{slowest} {seconds[slowest]:.2f} s")
    assert seconds[slowest] <= SECONDS[library], f"{slowest} takes {seconds[slowest]:.2f} s"
