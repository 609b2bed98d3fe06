"""The model behind scaling.md: bytes and seconds of a step of `steepest.mpi`, its constants fitted to a measured file.

A call that all ranks make together costs ``alpha`` for each message of it, and each byte ``beta``; a host works on each
byte of a gradient for ``work`` seconds (packing, adding, unpacking). A rank sends its messages one after the other and
receives meanwhile.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).parents[1] / "bench" / "results"
MEETING = 64 * 8  # bytes that a rank sends to each other one in a meeting
BUCKET = 1 << 23
CALLS = {"replicated": 6, "sharded": 6}  # of a table's step, besides meetings: counts, ids and rows; and back
MEETINGS = {"dense": 2, "replicated": 2, "sharded": 3}


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
    """What a machine does itself: seconds of a step, and of each byte; one thread."""

    step: float  # Python's part of a step of one dense parameter
    byte: float  # of a dense gradient in float32: packed, added, unpacked
    half: float  # the same where it travels as 16 bits
    adam: float  # updated
    table: float  # Python's part of a step of one table
    row_byte: float  # of ids and rows that a rank sends and gets


# Bytes, exactly ----------------------------------------------------------------------------------


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


# Seconds -----------------------------------------------------------------------------------------


def meetings(hosts: int, link: Link, count: int = 2) -> float:
    """Return the seconds of the agreements of a step."""
    return count * link.seconds(math.ceil(math.log2(max(2, hosts))), MEETING * (hosts - 1))


def dense_network(hosts: int, size: float, link: Link, bucket: float, half: bool = False) -> float:
    """Return the seconds on the network of a step of dense gradients."""
    messages = 2 * math.ceil(2 * size / bucket) * (hosts - 1)  # a message has half a bucket, there and back
    return link.seconds(messages, dense_bytes(hosts, size, half)) + meetings(hosts, link)


def dense_work(host: Host, hosts: int, size: float, half: bool = False) -> float:
    """Return the seconds that a host works for it."""
    return host.step + size * (host.half if half else host.byte) + size / hosts * host.adam


def dense_seconds(host: Host, hosts: int, size: float, link: Link, bucket: float, half: bool = False) -> float:
    """Return the seconds of a step beyond the gradients themselves: exchange, sums, update."""
    if hosts == 1:
        return size * host.adam
    return dense_network(hosts, size, link, bucket, half) + dense_work(host, hosts, size, half)


def handled(hosts: int, distinct: float, width: int, everywhere: float | None) -> float:
    """Return the bytes of ids and rows that pass through a rank: its own, those of its owner's, and what comes back."""
    rows = 3 * distinct if everywhere is None else distinct + everywhere / hosts + everywhere
    return rows * (8 + 4 * width)


def rows_seconds(host: Host, hosts: int, distinct: float, width: int, everywhere: float | None, link: Link) -> float:
    """Return the seconds of a table's part of a step, its lookup included where it is sharded."""
    kind = "sharded" if everywhere is None else "replicated"
    size = rows_bytes(hosts, distinct, width, everywhere)
    network = link.seconds(CALLS[kind] * (hosts - 1), size) + meetings(hosts, link, MEETINGS[kind])
    return network + host.table + handled(hosts, distinct, width, everywhere) * host.row_byte


def best_bucket(hosts: int, size: float) -> float:
    """Return a bucket whose messages are of 1 MB, or the whole."""
    return min(2 * size, hosts * 2e6)


# The measured file -------------------------------------------------------------------------------


class Measured:
    """The figures of `python -m bench.mpi`: the file that was written last.

    Attributes:
        link: messages between two ranks on the machine.
        host: its own work.
    """

    def __init__(self, path: Path | None = None) -> None:
        found = [path] if path else sorted(RESULTS.glob("mpi-*.json"))
        files = [json.loads(each.read_text("utf-8")) for each in found]
        self.raw: dict[str, Any] = max(files, key=lambda each: each["date"])
        self.machine: dict[str, Any] = self.raw["machine"]
        self.by_ranks: dict[int, dict[str, Any]] = {each["ranks"]: each for each in self.raw["exchanges"] if each}
        self.link, self.host = self._fitted()

    def _fitted(self) -> tuple[Link, Host]:
        """Fit all constants to two ranks, which have a processor each."""
        two = self.by_ranks[2]
        alpha, beta = line([e["sent"] for e in two["messages"]], [e["seconds"] for e in two["messages"]])
        link = Link("shared memory", alpha, beta)
        adam = two["plain"][-1]["seconds"] / two["plain"][-1]["bytes"]
        bare = Host(0.0, 0.0, 0.0, adam, 0.0, 0.0)
        own: dict[bool, tuple[float, float]] = {}
        for half in (False, True):
            points = [e for e in two["dense"] if e["half"] == half]
            rest = [e["seconds"] - dense_seconds(bare, 2, e["bytes"], link, BUCKET, half) for e in points]
            own[half] = line([e["bytes"] for e in points], rest)
        sizes = [handled(2, e["distinct"], e["width"], everywhere(2, e)) for e in two["rows"]]
        rest = [e["seconds"] - self._rows(bare, link, 2, e) for e in two["rows"]]
        table, row_byte = line(sizes, rest)
        return link, Host(own[False][0], own[False][1], own[True][1], adam, table, row_byte)

    @staticmethod
    def _rows(host: Host, link: Link, ranks: int, e: dict[str, Any]) -> float:
        return rows_seconds(host, ranks, e["distinct"], e["width"], everywhere(ranks, e), link)

    def checks(self) -> list[tuple[int, str, float, float]]:
        """Return ranks, what they did, seconds measured, and seconds of the model, for all steps of two to four ranks.

        Ranks that share a processor take turns: their work and their copying take as many times longer, and a message
        costs what it does among so many ranks, by their meetings.
        """
        found = []
        for ranks, run in sorted(self.by_ranks.items()):
            if ranks == 1:
                continue
            share = max(1.0, ranks / self.machine["processors"])
            waits = max(1.0, run["meeting"] / self.by_ranks[2]["meeting"] / math.ceil(math.log2(ranks)))
            link = Link("", self.link.alpha * (waits if ranks > 2 else 1.0), self.link.beta * share)
            host = Host(*(share * value for value in vars(self.host).values()))
            for e in run["dense"]:
                name = f"dense, {e['bytes'] / 1e6:g} MB{', bfloat16' if e['half'] else ''}"
                model = dense_seconds(host, ranks, e["bytes"], link, BUCKET, e["half"])
                found.append((ranks, name, e["seconds"], model))
            for e in run["rows"]:
                name = f"{e['distinct']:,.0f} rows{', sharded' if e['sharded'] else ''}"
                found.append((ranks, name, e["seconds"], self._rows(host, link, ranks, e)))
        return found


def everywhere(ranks: int, e: dict[str, Any]) -> float | None:
    """Return the distinct rows of all ranks, each of which has drawn its own from the same table."""
    if e["sharded"]:
        return None
    return float(e["rows"] * (1 - (1 - e["distinct"] / e["rows"]) ** ranks))


def line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return (a, b) of ``a + b x`` with the least squares of the errors relative to y; neither below 0."""
    xs, ys = np.asarray(x, float), np.asarray(y, float)
    weight = 1 / np.maximum(ys, np.max(ys) * 1e-3)
    columns = np.stack([np.ones_like(xs), xs], axis=1) * weight[:, None]
    target = ys * weight
    best, least = (0.0, 0.0), math.inf
    for free in ([0, 1], [0], [1]):
        fit = np.zeros(2)
        fit[free] = np.linalg.lstsq(columns[:, free], target, rcond=None)[0]
        error = float(np.sum((columns @ fit - target) ** 2))
        if (fit >= 0).all() and error < least:
            best, least = (float(fit[0]), float(fit[1])), error
    return best
