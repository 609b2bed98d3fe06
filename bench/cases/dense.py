"""Arrays that do not fit into the caches: the time is memory's."""

from ..case import Work, case
from ..dense_cases import dense_case, dense_work

RULES = ["sgd", "momentum", "adagrad", "adagrad_decay", "adam"]


def works(quick: bool) -> list[Work]:
    if quick:
        return [dense_work("dense", rule, 4_000_000, 1) for rule in ("sgd", "adam")]
    return [dense_work("dense", rule, n, t) for n in (10_000_000, 50_000_000) for t in (1, 2) for rule in RULES]


case(
    dense_case(
        "dense",
        "Dense, out of cache",
        works,
        order=10,
        seconds=0.2,
        memory=lambda work: 16.0 * work.n,
        note="float32. AdagradDecay has rows of 64 elements and one counter a row; its *mix* is Adagrad's.",
    )
)
