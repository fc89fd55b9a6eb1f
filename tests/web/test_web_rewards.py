"""The page of rewards in a real browser: readable on a telephone, in the dark, and silent towards the network."""

from pathlib import Path

from browser import chromium

from reproducegym.reporting.page import page
from reproducegym.reporting.statistics import Bounds
from reproducegym.schema.statistics import Group, GroupAgents, GroupStatistics, RewardStatistics, TaskStatistics


def group(name: Group, mean: float) -> GroupStatistics:
    return GroupStatistics(group=name, scored=2, mean=mean, sd=0.1, least=max(0.0, mean - 0.1), most=mean)


def task(number: int, quarantine: str | None) -> TaskStatistics:
    claim = f"c{number:03d}_a_long_name_of_a_claim_on_a_long_named_benchmark"
    return TaskStatistics(
        task_id=f"paper.{claim}",
        paper_id="paper",
        claim_id=claim,
        spec_hash=f"{number:016x}",
        evidence_level="reexecute",
        attempts=7,
        scored=6,
        infra=1,
        verifier=0,
        mean=0.5,
        sd=0.4,
        groups=(group("reference", 1.0), group("lazy", 0.3), group("cheat", 0.0)),
        repeated=1,
        spread=0.1,
        discrimination=0.7,
        gameability=0.0,
        rewards=(1.0, 1.0, 0.3, 0.2, 0.0, 0.0),
        unfit=None,
        quarantine=quarantine,
    )


def test_the_page_fits_every_screen_shows_each_picture_and_asks_nobody(tmp_path: Path):
    reason = "<script>document.title = 'taken'</script><img src='http://127.0.0.1:9/x'>"
    told = RewardStatistics(
        schema_version=1,
        agents=(GroupAgents(group="cheat", agents=("script:/cheats/" + "x" * 90,)),),
        tasks=(task(1, reason), *(task(n, None) for n in range(2, 9))),
        damaged=("<b>a line</b>",),
    )
    place = tmp_path / "page.html"
    place.write_text(page(told, Bounds(), "0.1.0"))
    with chromium() as browser:
        for width, scheme in ((380, "dark"), (1400, "light")):
            shown = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            asked: list[str] = []
            errors: list[str] = []
            shown.on("request", lambda request, asked=asked: asked.append(request.url))
            shown.on("console", lambda message, errors=errors: errors.append(message.text))
            shown.goto(place.as_uri())
            assert (asked, errors, shown.title()) == ([place.as_uri()], [], "Rewards of 8 tasks")
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert shown.get_by_text(reason).is_visible()
            assert shown.locator("svg.chart").count() == 2
            assert shown.locator("svg.strip circle").count() == 24
            assert shown.locator("svg.chart rect.bin").count() == 10
