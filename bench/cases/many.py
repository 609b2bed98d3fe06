"""Many small variables in one call."""

from ..case import Work, case
from ..dense_cases import dense_case, dense_work


def works(quick: bool) -> list[Work]:
    if quick:
        return [dense_work("many", "adam", 100, 1, count=1000)]
    return [dense_work("many", rule, n, 1, count=1000) for n in (100, 1000) for rule in ("sgd", "adam")]


case(
    dense_case(
        "many",
        "Many tensors in one call",
        works,
        order=24,
        unit="us per tensor",
        figure=lambda work, seconds: 1e6 * seconds / work.count,
        seconds=0.1,
        note="float32. numba loops over typed lists that were made before; all others take Python's list.",
    )
)
