"""Embedding tables: rows of a batch, with duplicates."""

from ..case import Case, Work, case
from ..sparse import expected, memory, moved_bytes, ns_per_id, sparse_work

ROWS = 1_000_000
LAWS = ("uniform", "zipf")


def works(quick: bool) -> list[Work]:
    if quick:
        return [sparse_work("sparse", "adagrad", 100_000, 64, 16_384, law) for law in LAWS]
    main = [
        sparse_work("sparse", rule, ROWS, 64, 65_536, law, threads)
        for threads in (1, 2)
        for rule in ("sgd", "adagrad", "lazy_adam", "rowwise_adagrad")
        for law in LAWS
    ]
    batches = [sparse_work("sparse", rule, ROWS, 64, 4096, law) for rule in ("adagrad", "lazy_adam") for law in LAWS]
    batches += [sparse_work("sparse", "adagrad", ROWS, 64, 1_000_000, law) for law in LAWS]
    widths = [sparse_work("sparse", "adagrad", ROWS, width, 65_536, law) for width in (8, 16, 128) for law in LAWS]
    return main + batches + widths


case(
    Case(
        name="sparse",
        title="Sparse rows",
        works=works,
        unit="ns per id",
        figure=ns_per_id,
        expected=expected,
        moved=moved_bytes,
        memory=memory,
        order=30,
        seconds=0.25,
        note="float32. *random rows* reads the gradient in order and touches each distinct row once, at known "
        "addresses. FBGEMM is its fused backward pass. Row-wise Adagrad has one accumulator for each row; its "
        "*random rows* touches the parameter alone.",
    )
)
