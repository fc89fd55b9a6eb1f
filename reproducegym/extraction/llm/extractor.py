"""The extractor with a model: it proposes claims and says where their numbers stand; the paper decides."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from reproducegym.extraction.llm.anchors import anchored
from reproducegym.extraction.llm.binding import Pointed, bind_claim, look_up
from reproducegym.extraction.llm.candidates import Made, bound_candidate, unanswered, unread_candidates
from reproducegym.extraction.llm.drafts import Draft, drafts_of
from reproducegym.extraction.llm.merging import merge_question, merged
from reproducegym.extraction.llm.panels import Crop, panel_question, read_off, wanted_panels
from reproducegym.extraction.llm.paper_text import evidence_lines, safe_text
from reproducegym.extraction.llm.places import reason
from reproducegym.extraction.llm.prompts import fenced, prompt_digests, question
from reproducegym.extraction.llm.replies import Found, Merged, PanelReading, Refined
from reproducegym.extraction.llm.sections import SectionText, extract_question, sections_of
from reproducegym.extraction.llm.unbound import draft_candidate, evidence_candidate
from reproducegym.extraction.llm.view import View, view_of
from reproducegym.pipeline.evidence.bundle import Bundler
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.ports import Llm, Question, ReadPaper, Unanswered
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Candidate
from reproducegym.schema.evidence import ClaimEvidence
from reproducegym.schema.refined import RefinedClaim, RefinedClaims, UnreadSection

__all__ = ["LlmExtractor"]

_NO_QUANTITY = reason("no_quantity", "the model found nothing to measure the finding by")


@dataclass(frozen=True)
class _Read:
    """What step 1 gave: drafts in the paper's order, and the sections that nobody answered for."""

    drafts: tuple[Draft, ...]
    unread: tuple[tuple[SectionText, Unanswered], ...]


class LlmExtractor:
    """Proposes claims by asking a model section by section and claim by claim; never the whole paper at once."""

    name = "llm"

    def __init__(self, llm: Llm, *, evidence_characters: int, selected: int, crop: Crop) -> None:
        """Take the model and what bounds it.

        `evidence_characters` is the most text of a paper that one claim's question may hold; panels are read for the
        `selected` most important claims alone, each cut out of its figure's image by `crop`.
        """
        self.prompts: Mapping[str, str] = prompt_digests()
        self._llm = llm
        self._characters = evidence_characters
        self._selected, self._crop = selected, crop
        self._records: dict[str, Frozen] = {}

    def records(self) -> Mapping[str, Frozen]:
        """What was made of each claim of the last paper: `refined_claims.json`."""
        return dict(self._records)

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        """All claims found, most important first; what no model answered for is among them, with the reason."""
        view = view_of(paper)
        read = self._read(view)
        drafts, refused = self._joined(read.drafts)
        made = anchored(view, self._refined(view, drafts))
        made = tuple(sorted(made, key=lambda one: -one.candidate.importance))
        self._records = {"refined_claims.json": self._record(view, read, made, refused)}
        unread = [one for section, why in read.unread for one in unread_candidates(view, section, why)]
        return tuple(sorted((*(one.candidate for one in made), *unread), key=lambda one: -one.importance))

    def _read(self, view: View) -> _Read:
        """Step 1: the claims of each section."""
        sections = sections_of(view)
        replies = self._llm.ask_all([extract_question(section) for section in sections], Found)
        drafts: list[Draft] = []
        unread: list[tuple[SectionText, Unanswered]] = []
        for section, reply in zip(sections, replies, strict=True):
            if isinstance(reply, Unanswered):
                unread.append((section, reply))
            else:
                drafts += drafts_of(view, section, reply.claims, len(drafts) + 1)
        return _Read(tuple(drafts), tuple(unread))

    def _joined(self, drafts: tuple[Draft, ...]) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
        """Step 2: doubles joined; without an answer all claims stay, and the compiler finds the same quantities."""
        measured = [draft for draft in drafts if draft.found.pattern != "unquantified"]
        if len(measured) < 2:
            return drafts, ()
        reply = self._llm.ask(merge_question(measured), Merged)
        if isinstance(reply, Unanswered):
            return drafts, (f"not asked about doubles: {reply.reason}, {reply.detail}",)
        return merged(drafts, reply.groups)

    def _refined(self, view: View, drafts: Sequence[Draft]) -> tuple[Made, ...]:
        """Step 3: each claim with a quantity bound by its own evidence."""
        measured = [draft for draft in drafts if draft.found.pattern != "unquantified"]
        with closing(Bundler(view.index, view.paper)) as bundler:
            evidence = {one.id: bundler.bundle(evidence_candidate(view, one), self._characters) for one in measured}
        asked = [_refine_question(one, evidence[one.id]) for one in measured]
        replies = dict(zip(evidence, self._llm.ask_all(asked, Refined), strict=True))
        pointed = {key: look_up(view, reply) for key, reply in replies.items() if isinstance(reply, Refined)}
        self._read_panels(view, measured, replies, pointed)
        bound = self._bound(view, measured, evidence, replies, pointed)
        made: list[Made] = []
        for draft in drafts:
            reply = replies.get(draft.id)
            if draft.id in bound:
                made.append(bound[draft.id])
            elif isinstance(reply, Unanswered):
                made.append(Made(draft, draft_candidate(view, draft, (unanswered(reply),)), False, draft.notes))
            else:
                made.append(Made(draft, draft_candidate(view, draft, (_NO_QUANTITY,)), True, draft.notes))
        return tuple(made)

    def _bound(
        self,
        view: View,
        drafts: Sequence[Draft],
        evidence: Mapping[str, ClaimEvidence],
        replies: Mapping[str, Refined | Unanswered],
        pointed: Mapping[str, Sequence[Pointed]],
    ) -> dict[str, Made]:
        """The answered claims, bound.

        A claim that contradicts the paper is asked once more by its own sentences and tables alone, so that nothing
        that stands beside them can have misled the model; the second answer counts if the paper bears it out.
        """
        bound: dict[str, Made] = {}
        again: list[tuple[Draft, Refined]] = []
        for draft in drafts:
            reply = replies[draft.id]
            if isinstance(reply, Refined):
                bound[draft.id] = _made(view, draft, evidence[draft.id], reply, pointed[draft.id])
                if bound[draft.id].candidate.doubts:
                    again.append((draft, reply))
        alone = {draft.id: _alone(evidence[draft.id]) for draft, _ in again}
        asked = [_refine_question(draft, alone[draft.id]) for draft, _ in again]
        for (draft, first), reply in zip(again, self._llm.ask_all(asked, Refined), strict=True):
            if isinstance(reply, Refined):
                second = reply.model_copy(update={"protocol": first.protocol, "budget": first.budget})
                made = _made(view, draft, alone[draft.id], second, look_up(view, second))
                if not made.candidate.doubts:
                    bound[draft.id] = made
        return bound

    def _read_panels(
        self,
        view: View,
        drafts: Sequence[Draft],
        replies: Mapping[str, Refined | Unanswered],
        pointed: dict[str, tuple[Pointed, ...]],
    ) -> None:
        """Step 4: values that only the image of a panel has, of the claims that would be built."""
        weights = {one.id: draft_candidate(view, one, ()).importance for one in drafts}
        first = sorted(pointed, key=lambda key: -weights[key])[: self._selected]
        wanted = [
            (key, reply, one)
            for key in first
            for reply in [replies[key]]
            if isinstance(reply, Refined)
            for one in wanted_panels(view, pointed[key])
        ]
        asked = [panel_question(view, one, reply, self._crop) for _, reply, one in wanted]
        for (key, _, one), reading in zip(wanted, self._llm.ask_all(asked, PanelReading), strict=True):
            points = list(pointed[key])
            points[one.index] = replace(points[one.index], at=read_off(one, reading))
            pointed[key] = tuple(points)

    def _record(self, view: View, read: _Read, made: Sequence[Made], refused: tuple[str, ...]) -> RefinedClaims:
        paper_id = view.paper.document.paper_id
        claims = tuple(
            RefinedClaim(
                claim_uid=claim_uid(paper_id, one.candidate),
                found_in=tuple(dict.fromkeys(view.sentences[name].section or "" for name in one.draft.anchors)),
                sentences=one.draft.anchors,
                answered=one.answered,
                candidate=one.candidate,
                refused=one.candidate.doubts,
                dropped=one.notes,
            )
            for one in made
        )
        unread = tuple(
            UnreadSection(section=section.id, title=section.title, reason=why.reason, detail=why.detail)
            for section, why in read.unread
        )
        return RefinedClaims(
            schema_version=1,
            paper_id=paper_id,
            model=self._llm.name,
            claims=claims,
            unread=unread,
            withheld=view.withheld,
            joins_refused=refused,
        )


def _refine_question(draft: Draft, evidence: ClaimEvidence) -> Question:
    found = draft.found
    lines = [
        f"[claim] found in {', '.join(draft.anchors)}: {safe_text(found.statement)}",
        safe_text(
            f"[claim] pattern {found.pattern}; metric {found.metric}; method {found.method}; "
            f"baseline {found.baseline or 'none'}; data set {found.dataset or 'none'}"
        ),
        *evidence_lines(evidence),
    ]
    return question("refine", {"data": fenced(lines)})


def _alone(evidence: ClaimEvidence) -> ClaimEvidence:
    """The evidence without any sentence but those that state the claim."""
    own = tuple(one for one in evidence.sentences if one.why == "anchor")
    return evidence.model_copy(update={"sentences": own})


def _made(view: View, draft: Draft, evidence: ClaimEvidence, reply: Refined, pointed: Sequence[Pointed]) -> Made:
    bound = bind_claim(view, evidence, draft.anchors, reply, pointed)
    candidate, notes = bound_candidate(view, draft, reply, bound)
    return Made(draft, candidate, True, (*draft.notes, *bound.notes, *notes))
