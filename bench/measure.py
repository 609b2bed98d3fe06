"""One work: contenders are built, their answers compared, and then they take turns."""

from __future__ import annotations

import dataclasses
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .case import CASES, Contender, Work, contenders_of
from .pool import Pool, Process

OURS = "steepest"
SHORTEST = 1.5e-3  # seconds that a sample lasts at least: others have been in the caches, threads have slept
SETTLE = 2e-3  # seconds between two turns
MOST_ROUNDS, MOST_WITH_THREADS, FEWEST_ROUNDS = 25, 15, 5
SLOW = 0.15  # seconds of a step above which three samples must do
LONGEST = 25.0  # seconds after which turns end, once everybody has three samples


@dataclass
class Entrant:
    """A contender that has been built and whose answer was right."""

    name: str
    who: Contender
    process: Process
    seconds: float
    extras: dict[str, Any]
    samples: dict[int, float] = field(default_factory=dict)

    def rounds(self, budget: float) -> int:
        fewest = 3 if self.seconds > SLOW else FEWEST_ROUNDS
        return min(MOST_ROUNDS, max(fewest, int(budget / max(self.seconds, SHORTEST))))


def wrong(answer: np.ndarray, expected: np.ndarray, tolerance: tuple[float, float], strays: float = 0.0) -> str | None:
    """Return how an answer differs, or None; that share of its elements may be further off than the tolerance."""
    if answer.shape != expected.shape:
        return f"wrong answer: {answer.size} numbers for {expected.size}"
    relative, absolute = tolerance
    off = np.abs(answer - expected) - (relative * np.abs(expected) + absolute)
    if np.count_nonzero(~(off <= 0)) <= strays * off.size and np.all(np.isfinite(answer)):
        return None
    worst = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
    return f"wrong answer: {answer[worst]:.6g} for {expected[worst]:.6g} at {worst}"


class Measurement:
    """Times one work and keeps the outcome as plain values."""

    def __init__(self, pool: Pool, work: Work, scale: float, limit: float) -> None:
        self.pool, self.work, self.limit = pool, work, limit
        self.case = CASES[work.case]
        self.budget = self.case.seconds * scale
        self.absent: dict[str, str] = {}

    def run(self) -> dict[str, Any]:
        work, start = self.work, time.monotonic()
        expected = None if self.case.expected is None else np.asarray(self.case.expected(work), np.float64).ravel()
        entrants = self.build(expected)
        self.take_turns(entrants)
        for process in {id(e.process): e.process for e in entrants}.values():
            process.ask(self.limit, do="drop")
        return {
            "work": dataclasses.asdict(work),
            "date": time.strftime("%Y-%m-%d"),
            "bytes": None if self.case.moved is None else self.case.moved(work),
            "contenders": {e.name: self.figures(e, entrants) for e in entrants if e.samples},
            "absent": self.absent,
            "took": round(time.monotonic() - start, 1),
        }

    def build(self, expected: np.ndarray | None) -> list[Entrant]:
        entrants: list[Entrant] = []
        room = available_memory() * 0.7
        counts = self.work.across or (self.work.threads,)
        for who in contenders_of(self.work):
            for threads in counts:
                work = dataclasses.replace(self.work, threads=threads, across=())
                name = f"{who.name}, {threads} thread{'s' * (threads > 1)}" if self.work.across else who.name
                needs = self.case.memory(work)
                if needs > room:
                    self.absent[name] = "not enough memory"
                    continue
                process = self.pool.get(who.runtime, threads)
                if process is None:
                    self.absent[name] = self.pool.lacking(who.runtime, threads) or "its process does not start"
                    continue
                path = str(self.pool.scratch / "answer.npy")
                asked = dataclasses.asdict(work)
                reply = process.ask(self.limit, do="build", name=who.name, work=asked, answer=path)
                if reply.get("declined"):
                    continue
                problem = reply.get("error")
                if problem is None and expected is not None and reply["answered"]:
                    problem = wrong(np.load(path), expected, self.case.tolerance(work), self.case.strays)
                if problem is not None:
                    self.absent[name] = str(problem)
                    process.ask(self.limit, do="drop", name=who.name)
                    continue
                room -= needs
                entrants.append(Entrant(name, who, process, float(reply["seconds"]), reply["extras"]))
        return entrants

    def take_turns(self, entrants: list[Entrant]) -> None:
        """Round after round, everybody once, each round starting with another one."""
        several = max((self.work.threads, *self.work.across)) > 1
        most = MOST_WITH_THREADS if several else MOST_ROUNDS
        plans = {e.name: min(most, e.rounds(self.budget)) for e in entrants}
        longest, start = max(plans.values(), default=0), time.monotonic()
        for turn in range(longest):
            enough = all(len(e.samples) >= 3 for e in entrants if plans[e.name])
            if enough and time.monotonic() - start > LONGEST:
                break
            first = turn % len(entrants)
            for e in entrants[first:] + entrants[:first]:
                # Who has fewer samples spreads them over all the rounds.
                if (turn + 1) * plans[e.name] // longest == turn * plans[e.name] // longest:
                    continue
                steps = max(1, int(SHORTEST / e.seconds))
                warm = 0 if e.seconds > SLOW else max(1, steps // 2)
                reply = e.process.ask(self.limit, do="sample", name=e.who.name, steps=steps, warm=warm)
                if "error" in reply:
                    self.absent[e.name] = str(reply["error"])
                    plans[e.name] = 0
                    e.samples.clear()
                else:
                    e.samples[turn] = float(reply["seconds"])
                time.sleep(SETTLE)

    def figures(self, e: Entrant, entrants: list[Entrant]) -> dict[str, Any]:
        """Median and quartiles, and the median of the ratios to our own time in the same round."""
        values = sorted(e.samples.values())
        low, _, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        ours = next((o.samples for o in entrants if o.who.name == OURS), {})
        paired = [e.samples[turn] / ours[turn] for turn in e.samples.keys() & ours.keys()]
        return {
            "seconds": round_to(statistics.median(values)),
            "quartiles": [round_to(low), round_to(high)],
            "samples": len(values),
            "times_ours": round_to(statistics.median(paired)) if len(paired) >= 3 else None,
            "runtime": e.who.runtime,
            "roofline": e.who.roofline,
            **e.extras,
        }


def round_to(value: float, digits: int = 4) -> float:
    return float(f"{value:.{digits}g}")


def available_memory() -> float:
    try:
        with open("/proc/meminfo") as lines:
            return next(1024.0 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return 4e9
