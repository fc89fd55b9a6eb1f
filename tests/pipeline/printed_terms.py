"""Values as a paper prints them, and what is derived from them."""

import math
from decimal import Decimal

from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.targets.derived import Derived, derive
from reproducegym.pipeline.targets.tolerance import (
    Setting,
)
from reproducegym.schema.claim import Provenance, Spread
from reproducegym.schema.spec import DerivationInput

__all__ = ["CONFIG", "close", "derived", "setting", "term"]

CONFIG = load_config(None)


def term(name, value, spread=None, n=5, kind="sd", over="seeds", read_error=None):
    number = Decimal(value)
    place = Provenance(
        kind="figure_series" if read_error else "table_cell",
        page=1,
        bbox=(0.0, 0.0, 1.0, 1.0),
        quote=value,
        read_error=None if read_error is None else Decimal(read_error),
    )
    return DerivationInput(
        name=name,
        value=number,
        unit="",
        resolution=Decimal(1).scaleb(int(number.as_tuple().exponent)),
        spread=None if spread is None else Spread(value=Decimal(spread), kind=kind, over=over, n=n),
        provenance=(place,),
    )


def derived(pattern, *terms, unit="") -> Derived:
    found = derive(pattern, terms, unit)
    assert isinstance(found, Derived)
    return found


def setting(pattern="absolute", kind="count", unit="", n_items=None, primaries=1) -> Setting:
    return Setting(pattern, kind, unit, n_items, CONFIG.tolerances, CONFIG.verification.joint_error, primaries)


def close(found: Decimal, wanted: float) -> bool:
    return math.isclose(float(found), wanted, rel_tol=2e-5)
