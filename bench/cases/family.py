"""Every rule out of cache, dense and by rows, beside the loop that moves the same bytes."""

from ..case import Case, Work, case
from ..family import FAMILY
from ..sparse import distinct, ns_per_id

ELEMENTS, WIDTH = 32_000_000, 64  # rows of 64, also where the update is dense: some rules are rules of rows
ROWS, BATCH = 1_000_000, 65_536


def dense_works(quick: bool) -> list[Work]:
    names = ["LAMB"] if quick else [name for name, member in FAMILY.items() if member.dense]
    values = {"n": 2_000_000 if quick else ELEMENTS, "width": WIDTH}
    return [Work("family", f"{name}, {values['n']:,}", 1, {"member": name, **values}) for name in names]


def row_works(quick: bool) -> list[Work]:
    names = ["FTRL"] if quick else [name for name, member in FAMILY.items() if member.rows]
    values = {"rows": ROWS // (10 if quick else 1), "width": WIDTH, "batch": BATCH, "law": "uniform"}
    label = f"{values['rows']:,} x {WIDTH}, {BATCH:,} uniform ids"
    return [Work("family rows", f"{name}, {label}", 1, {"member": name, **values}) for name in names]


def dense_bytes(work: Work) -> float:
    member = FAMILY[work.member]
    return 4.0 * work.n * (3 + 2 * member.states + member.measured) + member.row_bytes * work.n / work.width


def bytes_of_rows(work: Work) -> float:
    member = FAMILY[work.member]
    row = 8 * work.width * (1 + member.states) + member.row_bytes
    return 4.0 * work.width * work.batch + row * distinct(work.rows, work.batch, work.law)


case(
    Case(
        name="family",
        title="Every rule, dense, out of cache",
        works=dense_works,
        unit="ns per element",
        figure=lambda work, seconds: 1e9 * seconds / work.n,
        moved=dense_bytes,
        memory=lambda work: 4.0 * work.n * (2 + FAMILY[work.member].states),
        order=90,
        seconds=0.2,
        note="float32. What the rules compute is compared by the tests, not here. LARS and LAMB need a norm of the"
        " whole parameter first: *mix* reads the same arrays twice.",
    )
)
case(
    Case(
        name="family rows",
        title="Every rule of rows",
        works=row_works,
        unit="ns per id",
        figure=ns_per_id,
        moved=bytes_of_rows,
        memory=lambda work: 4.0 * work.width * (work.rows * (1 + FAMILY[work.member].states) + work.batch),
        order=91,
        seconds=0.15,
        note="float32. Rules that move every row at each step are not here; lazy and deferred Adam are.",
    )
)
