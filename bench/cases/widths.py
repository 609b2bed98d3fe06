"""Sparse rows of every width, a vector among them, and tables of every length."""

from ..case import Case, Work, case
from ..sparse import expected, memory, moved_bytes, ns_per_id, sparse_work

WIDTHS = (1, 2, 3, 5, 8, 16, 64, 128, 300, 1000)


def by_width(quick: bool) -> list[Work]:
    if quick:
        return [sparse_work("widths", "adagrad", 100_000, width, 16_384, "uniform") for width in (1, 16)]
    return [
        sparse_work("widths", "adagrad", 1_000_000 if width <= 128 else 200_000, width, 65_536, "uniform")
        for width in WIDTHS
    ]


def by_length(quick: bool) -> list[Work]:
    lengths = (10_000, 100_000) if quick else (100_000, 1_000_000, 10_000_000)
    return [sparse_work("tables", "adagrad", rows, 16, 65_536, "uniform") for rows in lengths]


for name, title, works, note in (
    ("widths", "Sparse rows of any width", by_width, "float32, uniform ids."),
    ("tables", "The same batch in longer tables", by_length, "The cost follows the ids; what grows is the cache's."),
):
    case(
        Case(
            name=name,
            title=title,
            works=works,
            unit="ns per id",
            figure=ns_per_id,
            expected=expected,
            moved=moved_bytes,
            memory=memory,
            order=32,
            seconds=0.15,
            note=note,
        )
    )
