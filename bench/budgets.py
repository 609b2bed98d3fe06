"""The speeds that this project has set itself, and whether they are met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .figures import Entry, Figures, number, table
from .measure import OURS

Found = Iterable[tuple[float | None, str]]  # values, and where each was measured
FIVE = ("sgd", "momentum", "adagrad", "adagrad_decay", "adam")
EXACT = ("numba", "torch fused", "torch foreach", "optax", "NumPy", "autograd", "TF eager", "TF function")
FULL_SLOTS = ("numba argsort", "jax scatter", "FBGEMM")


@dataclass(frozen=True)
class Budget:
    topic: str
    text: str
    limit: float
    measure: Callable[[Figures], Found]
    at_least: bool = False
    unit: str = ""

    def met(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


def where(entry: Entry) -> str:
    return f"{entry.work.label}, {entry.work.threads} thread{'s' * (entry.work.threads > 1)}"


def against(entries: Iterable[Entry], other: str, ours: str = OURS) -> Iterator[tuple[float | None, str]]:
    """Yield our time over another's."""
    for entry in entries:
        yield entry.ratio(ours, other), where(entry)


def lead(entries: Iterable[Entry], *names: str) -> Iterator[tuple[float | None, str]]:
    """Yield the best time of these libraries, or of all, over ours."""
    for entry in entries:
        best = next((r for r in entry.rivals() if not names or r in names), None)
        yield (None if best is None else entry.ratio(best, OURS)), f"{where(entry)}, {best}"


def figure(entries: Iterable[Entry], scale: float = 1.0) -> Iterator[tuple[float | None, str]]:
    for entry in entries:
        seconds = entry.figure(OURS)
        yield (None if seconds is None else seconds * scale), where(entry)


def fastmath(f: Figures) -> Found:
    return lead(f.of("cache"), "numba fastmath")


def over_row_wise(f: Figures) -> Found:
    for full in f.of("sparse", rule="adagrad", law="zipf", width=64, batch=65_536):
        for row_wise in f.of("sparse", rule="rowwise_adagrad", law="zipf", threads=full.work.threads):
            theirs, ours = row_wise.seconds("FBGEMM"), full.seconds(OURS)
            yield (theirs / ours if theirs and ours else None), where(full)


def lengths(f: Figures) -> Found:
    """Yield how far our time over the limit's varies from table to table."""
    ratios = [r for e in f.of("tables") if (r := e.ratio(OURS, "random rows")) is not None]
    yield (max(ratios) / min(ratios) if ratios else None), f"{len(ratios)} tables"


def one_off(name: str, *keys: str, scale: float = 1.0) -> Callable[[Figures], Found]:
    return lambda f: [(scale * f.one_off[name][k] if k in f.one_off.get(name, {}) else None, k) for k in keys]


def deferred_exactness(f: Figures) -> Found:
    e = f.one_off.get("exactness", {})
    yield (e["deferred"] / e["full"] if "full" in e else None), f"{e.get('steps', 0):,} steps"


def tape_overhead(f: Figures) -> Found:
    o = f.one_off.get("operation", {})
    yield (1e6 * (o["recorded"] - o["plain"]) if "plain" in o else None), "an addition of ten elements"


def above_bytes(f: Figures) -> Found:
    for e in f.of("many"):
        ours, mix = e.figure(OURS), e.figure("mix")
        yield (ours - mix if ours is not None and mix is not None else None), where(e)


def of_rows(f: Figures) -> Found:
    return against(f.of("family rows"), "random rows")


def recommenders(f: Figures) -> Iterator[Entry]:
    return f.of("steps", kind="recommender")


def beyond_products(f: Figures) -> Found:
    """Yield what our step takes beyond the matrix products over what torch's takes beyond its own."""
    for e in recommenders(f):
        ours, theirs = (
            step - products if step is not None and products is not None else None
            for step, products in (
                (e.seconds(OURS), e.seconds("products")),
                (e.seconds("torch"), e.seconds("torch's products")),
            )
        )
        yield (ours / theirs if ours is not None and theirs else None), where(e)


BUDGETS = [
    Budget("dense", "out of cache, over mix, 1 thread", 1.05, lambda f: against(f.of("dense", threads=1), "mix")),
    Budget("dense", "out of cache, over mix, 2 threads", 1.05, lambda f: against(f.of("dense", threads=2), "mix")),
    Budget("dense", "out of cache, best library over steepest", 1.0, lambda f: lead(f.of("dense")), True),
    Budget("dense", "in cache, over the plain C++ loop", 1.05, lambda f: against(f.of("cache"), "loop")),
    Budget("dense", "in cache, best exact library over steepest", 1.0, lambda f: lead(f.of("cache"), *EXACT), True),
    Budget("dense", "in cache, numba with approximate roots, over steepest", 1.0, fastmath, True),
    Budget("dense", "Adam on 1,000 elements, us", 3, lambda f: figure(f.of("small", rule="adam", n=1000))),
    Budget("dense", "SGD on 1,000 elements, us", 2, lambda f: figure(f.of("small", rule="sgd", n=1000))),
    Budget("dense", "Adam on 1,000 x 100, us a tensor", 0.25, lambda f: figure(f.of("many", rule="adam", n=100))),
    Budget(
        "dense",
        "Adam on 1,000 x 1,000, over the loop",
        1.1,
        lambda f: against(f.of("many", rule="adam", n=1000), "loop"),
    ),
    Budget("dense", "many tensors, us a tensor above mix", 0.3, above_bytes),
    *(
        Budget("dense", f"{dtype}, over mix", 1.1, lambda f, d=dtype: against(f.of("types", dtype=d), "mix"))
        for dtype in ("float64", "bfloat16", "float16")
    ),
    Budget(
        "dense",
        "baseline, over the loop for SSE2",
        1.3,
        lambda f: against(f.of("types", dtype="float32"), "loop SSE2", "steepest baseline"),
    ),
    *(
        Budget(
            "sparse",
            f"{name}, over random rows",
            1.35,
            lambda f, r=rule: against(f.of("sparse", rule=r), "random rows"),
        )
        for rule, name in (("sgd", "SGD"), ("adagrad", "Adagrad"), ("lazy_adam", "lazy Adam"))
    ),
    Budget("family", "every rule, dense, over mix", 1.05, lambda f: against(f.of("family"), "mix")),
    Budget("family", "every rule of rows, over random rows", 1.35, of_rows),
    Budget("sparse", "best of numba, jax, FBGEMM over steepest", 1.5, lambda f: lead(slots(f), *FULL_SLOTS), True),
    Budget("sparse", "torch over steepest", 5, lambda f: lead(slots(f), "torch"), True),
    Budget("sparse", "TensorFlow over steepest", 5, lambda f: lead(slots(f), "TF"), True),
    Budget("sparse", "row-wise FBGEMM over full Adagrad, Zipf", 1.0, over_row_wise, True),
    Budget("sparse", "widths 1 to 1,000, over random rows", 1.35, lambda f: against(f.of("widths"), "random rows")),
    Budget("sparse", "100,000 to 10,000,000 rows: most over least time, over random rows' own", 1.5, lengths),
    Budget("sparse", "memory beyond slots, bytes an id", 40, one_off("memory", "uniform", "zipf")),
    Budget("Adam", "deferred: distance from float64 over the full update's", 1.5, deferred_exactness),
    Budget("Adam", "deferred over lazy", 2, lambda f: against(f.of("adam ways"), "steepest lazy")),
    Budget(
        "clipping",
        "by value, over plain Adam",
        1.02,
        lambda f: against(f.of("clip", kind="value", update=True), "steepest unclipped"),
    ),
    Budget(
        "clipping",
        "by norm and global norm, over plain Adam",
        1.2,
        lambda f: against(f.of("clip", kind=("norm", "global"), update=True), "steepest unclipped"),
    ),
    Budget("clipping", "alone, best library over steepest", 1.0, lambda f: lead(f.of("clip", update=False)), True),
    Budget("tape", "chain, us", 400, lambda f: figure(f.of("tape", kind="chain"))),
    Budget("tape", "MLP, over NumPy by hand", 1.3, lambda f: against(f.of("tape", kind="mlp"), "NumPy")),
    Budget("tape", "MLP in primitives, over NumPy by hand", 1.25, lambda f: against(f.of("programs"), "NumPy")),
    Budget(
        "tape", "programs, best library over steepest", 1.0, lambda f: lead(f.of("programs"), "torch", "autograd"), True
    ),
    Budget("tape", "an operation, us above NumPy's own", 0.38, tape_overhead),
    Budget("tape", "its derivative, us", 0.95, one_off("operation", "differentiated", scale=1e6)),
    Budget("tape", "the words job, best library over steepest", 1.0, lambda f: lead(f.of("words")), True),
    Budget(
        "steps",
        "recommender, torch over steepest",
        1.8,
        lambda f: lead(f.of("steps", kind="recommender"), "torch"),
        True,
    ),
    Budget("steps", "recommender beyond the products, over torch's beyond them", 0.3, beyond_products),
    Budget("checkpoint", "save, over write and fsync", 1.3, one_off("checkpoint", "save")),
    Budget(
        "checkpoint", "load and restore, over reading into new memory", 1.2, one_off("checkpoint", "load", "restore")
    ),
    Budget("import", "beyond NumPy's, ms", 30, one_off("programs", "import steepest, beyond numpy", scale=1e3)),
]


def slots(f: Figures) -> Iterator[Entry]:
    return f.of("sparse", rule=("sgd", "adagrad", "lazy_adam"))


def cells(budget: Budget, figures: Figures) -> list[str]:
    """Return a machine's worst value and where it was measured, and whether the budget is met."""
    found = [(value, place) for value, place in budget.measure(figures) if value is not None]
    if not found:
        return ["", "not measured"]
    worst, place = (min if budget.at_least else max)(found)
    met = sum(budget.met(value) for value, _ in found)
    verdict = "yes" if met == len(found) else "no" if met == 0 else f"{met} of {len(found)}"
    best = (max if budget.at_least else min)(found)[0]
    span = number(worst) if len(found) == 1 else f"{number(worst)} (others to {number(best)})"
    return [f"{span}: {place}", verdict]


def lines(machines: list[Figures]) -> list[str]:
    rows = []
    for budget in BUDGETS:
        sign = "at least" if budget.at_least else "at most"
        row = [budget.topic, budget.text, f"{sign} {budget.limit:g}"]
        rows.append(row + [cell for figures in machines for cell in cells(budget, figures)])
    head = ["", "what", "budget", *(text for f in machines for text in (f"{f.name}: the worst, where", "met?"))]
    return ["## Budgets", "", "Ratios of times in one run.", "", *table(head, rows), ""]
