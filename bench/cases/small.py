"""One small variable: the time is the call's."""

from ..case import Work, case
from ..dense_cases import dense_case, dense_work


def works(quick: bool) -> list[Work]:
    if quick:
        return [dense_work("small", "adam", 1000, 1)]
    return [dense_work("small", rule, n, 1) for n in (10, 1000) for rule in ("sgd", "adagrad", "adam")]


case(
    dense_case(
        "small",
        "One small variable",
        works,
        order=22,
        unit="us per step",
        figure=lambda work, seconds: 1e6 * seconds,
        seconds=0.04,
        note="float32; the whole call, from Python to Python.",
    )
)
