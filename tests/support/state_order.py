"""What an optimizer holds, in an order that two optimizers of the same parameters share."""

from __future__ import annotations

import re
from typing import Any

import steepest as st


def variables_in_order(opt: st.Optimizer) -> list[Any]:
    """Return an optimizer's variables by name, 9 before 10.

    `Optimizer.variables` has 10 before 9, as texts; arrays are numbered on from test to test, so that what two
    optimizers hold of the same arrays may come in different orders there.
    """
    return sorted(
        opt.variables(),
        key=lambda v: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", v.name)],
    )
