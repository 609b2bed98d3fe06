"""What a step of `steepest.mpi` costs on many hosts: a model of its exchanges, its tables and its plot.

python docs/scaling.py        writes scaling.md, and scaling.png where matplotlib is installed

A link is two numbers: alpha, the seconds until the first byte of a message is there, and beta, the seconds for each
further byte. A rank sends its messages one after the other and receives at the same time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).with_name("scaling.md")
PICTURE = Path(__file__).with_name("scaling.png")
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
HOSTS = (2, 4, 8, 16, 64, 256, 1024)
MEETING = 64 * 8  # bytes that a rank sends to each other one in a meeting


@dataclass(frozen=True)
class Link:
    """A network: the seconds of a message, and those of a byte."""

    name: str
    alpha: float
    beta: float

    def seconds(self, messages: float, size: float) -> float:
        """Return the time of so many messages with so many bytes in all."""
        return messages * self.alpha + size * self.beta


TEN = Link("10 Gb/s", 30e-6, 8 / 10e9)
HUNDRED = Link("100 Gb/s", 5e-6, 8 / 100e9)


@dataclass(frozen=True)
class Host:
    """A machine, per byte of float32 gradient: packing or unpacking, adding, and Adam's update (docs/limits.md)."""

    copy: float = 2 / 8e9  # read and written
    add: float = 3 / 12e9
    adam: float = 6e-3 / 40e6


HOST = Host()


def dense_bytes(hosts: int, size: float, half: bool = False) -> float:
    """Return the bytes that a rank sends in a step with ``size`` bytes of dense gradients: there, and back."""
    return (hosts - 1) / hosts * size * (1.5 if half else 2)


def rows_bytes(hosts: int, distinct: float, width: int, everywhere: float | None) -> float:
    """Return the bytes that a rank sends for ``distinct`` rows of its own.

    ``everywhere``: the distinct rows of all ranks, which go back to everybody; None for a sharded table, whose rows are
    fetched by a lookup, ids there and rows back, and whose gradients go to the owners.
    """
    away, row = (hosts - 1) / hosts, 4 * width
    if everywhere is None:
        return distinct * away * (8 + row) * 2
    return distinct * away * (8 + row) + everywhere / hosts * (hosts - 1) * (8 + row)


def meetings(hosts: int, link: Link, count: int = 2) -> float:
    """Return the seconds of the agreements of a step."""
    return count * link.seconds(math.ceil(math.log2(max(2, hosts))), MEETING * (hosts - 1))


def dense_seconds(hosts: int, size: float, link: Link, bucket: float, half: bool = False) -> float:
    """Return the seconds of a step beyond the gradients themselves: exchange, sums, update."""
    if hosts == 1:
        return size * HOST.adam
    buckets = math.ceil(size / bucket)
    messages = 2 * buckets * (hosts - 1)
    network = link.seconds(messages, dense_bytes(hosts, size, half)) + meetings(hosts, link)
    return network + size * (2 * HOST.copy + HOST.add) + size / hosts * HOST.adam


def rows_seconds(hosts: int, distinct: float, width: int, everywhere: float | None, link: Link) -> float:
    """Return the seconds of a table's part of a step."""
    if hosts == 1:
        return distinct * 4 * width * HOST.adam
    calls = 5 if everywhere is not None else 6  # counts, ids and rows; and back
    size = rows_bytes(hosts, distinct, width, everywhere)
    here = distinct if everywhere is None else everywhere
    network = link.seconds(calls * (hosts - 1), size) + meetings(hosts, link, 3)
    return network + here * 4 * width * (2 * HOST.copy + HOST.add)


def best_bucket(hosts: int, size: float) -> float:
    """Return a bucket whose messages are of 1 MB, or the whole."""
    return min(size, hosts * 1e6)


# The page ----------------------------------------------------------------------------------------


def shown(seconds: float) -> str:
    """Return a time in ms, with as many digits as it is worth."""
    return f"{seconds * 1e3:,.0f}" if seconds >= 0.1 else f"{seconds * 1e3:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]])


def dense_table() -> str:
    """Return the table of a dense model."""
    size, compute = 4e8, 0.5
    rows = []
    for hosts in HOSTS:
        row = [f"{hosts:,}", f"{dense_bytes(hosts, size) / 1e6:,.0f}"]
        for link in (TEN, HUNDRED):
            bucket = best_bucket(hosts, size)
            plain = dense_seconds(hosts, size, link, bucket)
            row += [
                shown(plain),
                shown(dense_seconds(hosts, size, link, bucket, half=True)),
                shown(dense_seconds(hosts, size, link, 1 << 23)),
                f"{compute / (compute + plain):.0%}",
            ]
        rows.append(row)
    each = ["ms", "ms, bfloat16", "ms, buckets of 8 MiB", "useful"]
    head = ["hosts", "MB sent", *(f"{link.name}: {name}" for link in (TEN, HUNDRED) for name in each)]
    return table(head, rows)


def rows_table() -> str:
    """Return the table of a large embedding: 100,000 distinct rows of 64 numbers on each rank."""
    distinct, width = 1e5, 64
    rows = []
    for hosts in HOSTS:
        everywhere = min(1e9, distinct * hosts)
        row = [f"{hosts:,}", f"{rows_bytes(hosts, distinct, width, everywhere) / 1e6:,.0f}"]
        row += [f"{rows_bytes(hosts, distinct, width, None) / 1e6:,.0f}"]
        for link in (TEN, HUNDRED):
            row += [shown(rows_seconds(hosts, distinct, width, every, link)) for every in (everywhere, None)]
        row.append(f"{1e9 * width * 4 / hosts / 2**30:,.1f}")
        rows.append(row)
    each = ["ms, replicated", "ms, sharded"]
    head = ["hosts", "MB sent, replicated", "MB sent, sharded"]
    head += [f"{link.name}: {name}" for link in (TEN, HUNDRED) for name in each]
    return table([*head, "GiB of a table of 1e9 rows on each"], rows)


def batch_table() -> str:
    """Return how much of a step is useful work, by the work between two exchanges."""
    size, hosts = 4e8, 64
    rows = []
    for compute in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0):
        row = [f"{compute:g}"]
        for link in (TEN, HUNDRED):
            for half in (False, True):
                cost = dense_seconds(hosts, size, link, best_bucket(hosts, size), half)
                row.append(f"{compute / (compute + cost):.0%}")
        rows.append(row)
    head = [
        "s of gradients in a step",
        *(f"{link.name}{half}" for link in (TEN, HUNDRED) for half in ("", ", bfloat16")),
    ]
    return table(head, rows)


def page() -> str:
    """Return the page with its tables written anew."""
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    parts = [
        "### Dense gradients: 1e8 parameters of float32\n\n" + dense_table(),
        "### Rows: 100,000 distinct rows of 64 numbers on each host\n\n" + rows_table(),
        "### Larger batches: 64 hosts, 1e8 parameters\n\n" + batch_table(),
    ]
    text = "\n\n".join(parts)
    return f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}"


def draw() -> None:
    """Draw what of the time is useful, by hosts."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    hosts = [2**k for k in range(1, 11)]
    for link, style in ((TEN, "-"), (HUNDRED, "--")):
        for half in (False, True):
            cost = [dense_seconds(n, 4e8, link, best_bucket(n, 4e8), half) for n in hosts]
            label = f"{link.name}{', bfloat16' if half else ''}"
            axes.plot(hosts, [0.5 / (0.5 + c) for c in cost], style, marker="o" if half else "s", label=label)
    axes.set(xscale="log", xlabel="hosts", ylabel="part of a step that is gradients", ylim=(0, 1))
    axes.set_title("1e8 parameters, half a second of gradients in a step (model)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(PICTURE, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    draw()
