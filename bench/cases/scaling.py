"""The same work on 1, 2, 4, ... threads, as many as there are processors."""

import dataclasses

from ..case import Case, Work, case
from ..dense_cases import dense_case, dense_work
from ..pool import processors
from ..sparse import expected, memory, moved_bytes, ns_per_id, sparse_work


def counts() -> tuple[int, ...]:
    most = len(processors())
    return tuple(t for t in (1, 2, 4, 8, 16, 32, 64) if t <= most)


def spread(works: list[Work]) -> list[Work]:
    return [dataclasses.replace(work, across=counts()) for work in works]


def dense(quick: bool) -> list[Work]:
    sizes = (1_000_000,) if quick else (30_000, 100_000, 1_000_000, 20_000_000)
    return spread([dense_work("scaling", "adam", n, 1) for n in sizes])


def rows(quick: bool) -> list[Work]:
    if quick:
        return spread([sparse_work("scaling rows", "adagrad", 100_000, 64, 16_384, "uniform")])
    return spread(
        [
            sparse_work("scaling rows", rule, 1_000_000, 64, 65_536, law)
            for rule in ("adagrad", "lazy_adam")
            for law in ("uniform", "zipf")
        ]
    )


NOTE = "Each thread count has a process of its own, pinned to so many processors; they take turns too."
case(dense_case("scaling", "Threads, dense", dense, order=60, note=f"float32. {NOTE}", seconds=0.15))
case(
    Case(
        name="scaling rows",
        title="Threads, sparse rows",
        works=rows,
        unit="ns per id",
        figure=ns_per_id,
        expected=expected,
        moved=moved_bytes,
        memory=memory,
        order=61,
        seconds=0.2,
        note=f"float32. {NOTE}",
    )
)
