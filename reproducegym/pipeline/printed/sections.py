"""Says what each section of a paper is for, by the words of its title and the section it stands in."""

import re
from collections.abc import Iterable

from reproducegym.schema.evidence import SectionRole
from reproducegym.schema.paper import Paragraph, Section

__all__ = ["ROLE_WEIGHT", "paragraph_role", "section_role", "section_roles"]

ROLE_WEIGHT: dict[SectionRole, int] = {
    "abstract": 300,
    "conclusion": 250,
    "results": 150,
    "introduction": 120,
    "other": 50,
    "setup": 0,
    "aside": 0,
}
"""What a claim gains in importance by where it is stated."""
_ROLES: tuple[tuple[SectionRole, str], ...] = (
    (
        "aside",
        (
            r"related work|background|prior work|previous work|literature|reference|bibliograph"
            r"|acknowledg|broader impact|checklist|ethic|author contribution|preliminar|notation"
            r"|limitation|future work$|reproducibility"
        ),
    ),
    ("abstract", r"^abstract|^summary$"),
    ("conclusion", r"conclu|discussion and|closing|takeaway"),
    (
        "setup",
        (
            r"set-?up|implementation|training details|hyper-?param|architecture|^(?:\w+ )?datasets?$|^data$"
            r"|^method|methodolog|^approach|our (?:method|approach|model)|evaluation protocol|protocol"
            r"|optimi[sz]er|hardware|baselines?$|environments?$|problem (?:statement|formulation)"
            r"|^training$"
        ),
    ),
    (
        "results",
        (
            r"result|experiment|evaluation|ablation|analys[ie]s|discussion|finding|comparison"
            r"|performance|empirical|benchmark|case study|what matters"
        ),
    ),
    ("introduction", r"^introduction|^overview"),
)


def section_role(title: str) -> SectionRole | None:
    """What kind of section a title heads; None when the title does not say."""
    bare = re.sub(r"^[\dA-Z.]*\d[.\d]*\s+|^[IVX]+\.\s+|^[A-Z]\.\s+", "", title.strip()).strip()
    for role, pattern in _ROLES:
        if re.search(pattern, bare, re.IGNORECASE):
            return role
    return None


def section_roles(sections: Iterable[Section]) -> dict[str, SectionRole]:
    """The kind of each section, by id; a section that does not say inherits from the one it stands in."""
    roles: dict[str, SectionRole] = {}
    for section in sections:
        own = section_role(section.title)
        inherited = "other" if section.parent is None else roles.get(section.parent, "other")
        roles[section.id] = own if own is not None and inherited != "aside" else inherited
    return roles


def paragraph_role(paragraph: Paragraph, roles: dict[str, SectionRole]) -> SectionRole:
    """What a paragraph is for: the abstract wherever it stands, else what its section is for."""
    if paragraph.role == "abstract":
        return "abstract"
    return "other" if paragraph.section is None else roles.get(paragraph.section, "other")
