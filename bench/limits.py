"""The tables of docs/limits.md: bytes that each update has to move, and how near each work is to them."""

from __future__ import annotations

from . import data
from .case import Work
from .dense_cases import RULE_NAMES
from .figures import Entry, Figures, number, table
from .measure import OURS

BEGIN, END = "<!-- bytes: begin -->", "<!-- bytes: end -->"
RULES = ("sgd", "momentum", "adagrad", "adagrad_decay", "rowwise_adagrad", "adam")


def bytes_table() -> list[str]:
    rows = []
    for rule in RULES:
        own = f" + {data.ROW_BYTES[rule]} a row" if rule in data.ROW_BYTES else ""
        dense = [f"{data.bytes_per_element(rule, dtype)}{own}" for dtype in ("float32", "float64", "bfloat16")]
        touched = [
            f"{2 * data.STORED[t] + 2 * data.STATES[rule] * data.slot_bytes(t)}{own}"
            for t in ("float32", "float64", "bfloat16")
        ]
        rows.append([RULE_NAMES[rule], *dense, *touched])
    head = ["rule", "dense, float32", "float64", "half types", "distinct row, float32", "float64", "half types"]
    return table(head, rows)


def with_bytes(text: str) -> str:
    before, rest = text.split(BEGIN)
    return before + "\n".join([BEGIN, "", *bytes_table(), "", END]) + rest.split(END)[1]


def stale(text: str) -> bool:
    return with_bytes(text) != text


def per(entry: Entry) -> tuple[float, str]:
    """Return what bytes are counted by: elements, or ids."""
    work: Work = entry.work
    return (work.batch, "id") if "batch" in work.values else (work.n * work.values.get("count", 1), "element")


def nearness(figures: Figures) -> list[str]:
    rows = []
    for entry in figures.entries:
        limit = next(iter(entry.rooflines()), None)
        ours = entry.seconds(OURS)
        if limit is None or ours is None or not entry.bytes or entry.work.across:
            continue
        count, unit = per(entry)
        reached, ratio = entry.seconds(limit), entry.ratio(OURS, limit)
        if reached is None or ratio is None:
            continue
        rows.append(
            [
                entry.work.label,
                str(entry.work.threads),
                f"{number(entry.bytes / count)} an {unit}",
                f"{number(1e9 * reached / count)} ns",
                f"{number(1e9 * ours / count)} ns",
                number(entry.bytes / reached / 1e9),
                number(entry.bytes / ours / 1e9),
                f"{100 / ratio:.0f} %",
            ]
        )
    head = ["work", "threads", "bytes", "limit", "steepest", "limit, GB/s", "steepest, GB/s", "of the limit"]
    return [*table(head, rows), ""]
