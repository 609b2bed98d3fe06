"""Arrays that fit into the caches: the time is that of divisions and square roots."""

from ..case import Work, case
from ..dense_cases import dense_case, dense_work

RULES = ["sgd", "momentum", "adagrad", "adam"]


def works(quick: bool) -> list[Work]:
    if quick:
        return [dense_work("cache", "adam", 100_000, 1)]
    one = [dense_work("cache", rule, n, 1) for n in (10_000, 100_000, 1_000_000) for rule in RULES]
    return one + [dense_work("cache", "adam", n, 2) for n in (100_000, 1_000_000)]


case(dense_case("cache", "Dense, in cache", works, order=20, seconds=0.08, note="float32."))
