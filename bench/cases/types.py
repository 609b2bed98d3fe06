"""Other element types at their own bytes, and the instruction set that every x86-64 has."""

from ..case import Work, case
from ..dense_cases import dense_case, dense_work


def works(quick: bool) -> list[Work]:
    if quick:
        return [dense_work("types", "adam", 4_000_000, 1, dtype="bfloat16")]
    large = [
        dense_work("types", rule, 10_000_000, 1, dtype=dtype)
        for dtype in ("float64", "bfloat16", "float16")
        for rule in ("sgd", "adagrad", "adam")
    ]
    return large + [dense_work("types", rule, 100_000, 1) for rule in ("sgd", "adagrad", "adam")]


case(
    dense_case(
        "types",
        "Element types and instruction sets",
        works,
        order=26,
        seconds=0.15,
        memory=lambda work: 32.0 * work.n,
        note="Half types have float32 slots. *steepest baseline* runs with `STEEPEST_ISA=baseline`, *loop SSE2* is the "
        "plain loop compiled for `x86-64`.",
    )
)
