"""The exposure policy: from the configuration into spec, hash, task and scan."""

from itertools import product

import pytest
from compiler_paper import ucb_against_greedy
from made_paper import document, read_paper, spec

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.entry import entry_of
from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.task import brief, render_task, secretive
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import TaskReport

CONFIG = load_config(None)


def rendered(claim: ClaimSpec) -> dict[str, bytes]:
    return render_task(claim, brief(claim, read_paper(), "masked", 8.0), contract_of(claim), 8.0)


def test_masked_is_the_default() -> None:
    assert load_config(None).build.exposure == "masked"


def test_claim_only_gives_no_word_of_the_paper() -> None:
    claim = spec(exposure_policy="claim_only")
    assert sorted(brief(claim, read_paper(), "masked", 8.0)) == ["conditions.json", "outputs.json", "task.md"]
    assert not [one for one in scan(secretive(rendered(claim), claim), claim) if one.blocking]


def test_full_shows_the_paper_as_it_is_and_nothing_else_words_the_answer() -> None:
    claim = spec(exposure_policy="full")
    files = rendered(claim)
    assert b"97.3" in files["input_files/paper.md"]
    shown = secretive(files, claim)
    assert not [name for name in shown if "paper.md" in name or "figures" in name]
    assert not [one for one in scan(shown, claim) if one.blocking]
    worded = spec(exposure_policy="full", agent_statement="UCB1 reaches a regret of 97.3.")
    assert [one for one in scan(secretive(rendered(worded), worded), worded) if one.blocking]


@pytest.mark.parametrize("policy", ["full", "claim_only"])
def test_the_policy_is_part_of_the_contract_with_the_agent(policy: str) -> None:
    assert rendered(spec(exposure_policy=policy)) != rendered(spec())


def test_a_title_that_tells_the_answer_is_masked_where_only_the_title_is_given() -> None:
    paper = read_paper(paragraphs=document().paragraphs, title="A regret of 97.3 on bandits")
    assert b"97.3" not in brief(spec(), paper, "link", 8.0)["paper.md"]
    assert b"97.3" in brief(spec(exposure_policy="full"), paper, "link", 8.0)["paper.md"]


def test_builds_with_another_exposure_or_another_part_of_the_text_make_other_tasks() -> None:
    source, claim = ucb_against_greedy()
    made = {}
    for exposure, text in product(("masked", "full", "claim_only"), ("masked", "link", "none")):
        asked = CONFIG.build.model_copy(update={"exposure": exposure, "paper_text": text})
        compiled = compile_claim(source, claim, CONFIG.model_copy(update={"build": asked}))
        assert isinstance(compiled, ClaimSpec)
        entry = entry_of(
            compiled,
            task_dir="03-task/x",
            task_digest="d" * 64,
            timeout_s=60,
            image="x",
            report=TaskReport(oracle="none", noop="none", gameability="none"),
        )
        assert (entry.exposure_policy, entry.paper_text) == (exposure, text)
        assert ClaimSpec.from_json(compiled.to_json()) == compiled
        made[compiled.spec_hash] = compiled.contract_hash
    assert len(made) == 9
    assert len(set(made.values())) == 1
