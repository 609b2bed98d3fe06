"""Reads one machine's figures: which works there are, who took part, ratios."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .case import CASES, Case, Work
from .measure import OURS
from .results import load

REFERENCES = ("native",)  # runtimes that are no library to pick instead


class Entry:
    """One work's figures."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.work = Work(**{**raw["work"], "across": tuple(raw["work"]["across"])})
        self.bytes: float | None = raw["bytes"]
        self.contenders: dict[str, dict[str, Any]] = raw["contenders"]
        self.absent: dict[str, str] = raw["absent"]
        self.date: str = raw["date"]

    @property
    def case(self) -> Case:
        return CASES[self.work.case]

    def seconds(self, name: str) -> float | None:
        found = self.contenders.get(name)
        return None if found is None else float(found["seconds"])

    def figure(self, name: str) -> float | None:
        seconds = self.seconds(name)
        return None if seconds is None else self.case.figure(self.work, seconds)

    def ratio(self, of: str, to: str) -> float | None:
        """Return the time of one over the time of the other: paired by rounds where either is ours."""
        if of == OURS and (paired := self.contenders.get(to, {}).get("times_ours")):
            return 1 / float(paired)
        if to == OURS and (paired := self.contenders.get(of, {}).get("times_ours")):
            return float(paired)
        a, b = self.seconds(of), self.seconds(to)
        return None if a is None or b is None else a / b

    def rivals(self) -> list[str]:
        """Return the names of other libraries, the quickest first."""
        names = [
            name
            for name, c in self.contenders.items()
            if not name.startswith(OURS) and not c["roofline"] and c["runtime"] not in REFERENCES
        ]
        return sorted(names, key=lambda name: self.contenders[name]["seconds"])

    def rooflines(self) -> list[str]:
        return [name for name, c in self.contenders.items() if c["roofline"] and not name.startswith(OURS)]


class Figures:
    """All of one file."""

    def __init__(self, path: Path) -> None:
        raw = load(path)
        self.path = path
        self.machine: dict[str, Any] = raw["machine"]
        self.one_off: dict[str, dict[str, Any]] = raw["one_off"]
        self.entries = [Entry(e) for e in raw["works"] if e["work"]["case"] in CASES]

    @property
    def name(self) -> str:
        """Return the machine as tables name it."""
        return f"{self.machine['processor']}, {self.machine['processors']} processors"

    def of(self, case: str, **values: Any) -> Iterator[Entry]:
        """Yield the works of a case that have these values; a tuple stands for any of its members."""
        for entry in self.entries:
            if entry.work.case != case:
                continue
            has = {"threads": entry.work.threads, **entry.work.values}
            if all(has.get(k) in (v if isinstance(v, tuple) else (v,)) for k, v in values.items()):
                yield entry


def number(value: float | None) -> str:
    """Write three digits, and no exponent."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 2 if abs(value) >= 0.1 else 4
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.{digits}f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]
