"""Times every case, contenders taking turns, and rewrites the tables and plots that the figures go into."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from typing import Any

from . import one_off, pages, results
from .case import CASES, Work
from .discover import discover
from .measure import Measurement
from .pool import Pool, processors

FULL_MINUTES, QUICK_MINUTES = 30.0, 0.8


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="", help="works whose 'case | label | threads' matches")
    parser.add_argument("--quick", action="store_true", help="a few small works in less than a minute; writes nothing")
    parser.add_argument("--minutes", type=float, help=f"begin no work after so long (default {FULL_MINUTES:g})")
    parser.add_argument(
        "--python", metavar="RUNTIME=PATH", action="append", default=[], help="interpreter of a runtime"
    )
    parser.add_argument("--list", action="store_true", help="list the works and stop")
    parser.add_argument("--tables", action="store_true", help="write tables and plots from the committed figures")
    parser.add_argument("--check", action="store_true", help="fail where a table is not what the figures give")
    return parser.parse_args()


def chosen_works(pattern: str, quick: bool) -> list[Work]:
    cpus = len(processors())
    ordered = sorted(CASES.values(), key=lambda case: case.order)
    works = [work for case in ordered for work in case.works(quick) if work.threads <= cpus]
    return [work for work in works if re.search(pattern, work.key)]


def progress(works: list[Work]) -> Iterator[Work]:
    """Show how far the run is: by rich, by tqdm, or by lines."""
    try:
        from rich.progress import track
    except ImportError:
        try:
            from tqdm import tqdm
        except ImportError:
            for k, work in enumerate(works):
                print(f"[{k + 1}/{len(works)}] {work.key}", file=sys.stderr, flush=True)
                yield work
        else:
            for work in (bar := tqdm(works)):
                bar.set_description(work.key)
                yield work
    else:
        yield from track(works, description="benchmarks")


def summary(entry: dict[str, Any]) -> str:
    work = Work(**entry["work"])
    case = CASES[work.case]
    parts = [f"{name} {case.figure(work, c['seconds']):.3g}" for name, c in entry["contenders"].items()]
    parts += [f"{name}: {why}" for name, why in entry["absent"].items() if not why.endswith("is not installed")]
    return f"{work.key} [{case.unit}, {entry['took']} s]: " + "; ".join(parts)


def run(options: argparse.Namespace, works: list[Work]) -> tuple[list[dict[str, Any]], dict[str, str], bool]:
    """Return the figures of each work, the versions of the libraries that took part, and whether all were measured."""
    pool = Pool(dict(pair.split("=", 1) for pair in options.python))
    minutes = options.minutes or (QUICK_MINUTES if options.quick else FULL_MINUTES)
    until = time.monotonic() + 60 * minutes
    entries, left = [], []
    try:
        for work in progress(works):
            if time.monotonic() > until:
                left.append(work.key)
                continue
            try:
                entries.append(Measurement(pool, work, scale=0.5 if options.quick else 1.0, limit=60).run())
            except Exception as error:  # the others can still be measured
                print(f"{work.key}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            print(summary(entries[-1]), flush=True)
    finally:
        pool.close()
    if left:
        print(f"time is up; not measured: {', '.join(left)}", file=sys.stderr)
    return entries, pool.versions, len(entries) == len(works)


def run_one_off(options: argparse.Namespace) -> dict[str, Any]:
    """Measure what is not a time taken in turns."""
    found = {}
    for name in one_off.ONE_OFF:
        if re.search(options.only, f"one-off | {name}"):
            found[name] = one_off.measure(name, options.quick)
            print(f"one-off | {name}: {found[name]}", flush=True)
    return found


def main() -> int:
    options = arguments()
    discover()
    works = chosen_works(options.only, options.quick)
    if options.list:
        print("\n".join(work.key for work in works))
        return 0
    if options.check:
        stale = pages.stale()
        for page in stale:
            print(f"{page}: not what the figures give; run: python -m bench --tables", file=sys.stderr)
        return 1 if stale else 0
    if not options.tables:
        entries, libraries, all_measured = run(options, works)
        found = run_one_off(options)
        if options.quick:
            return 0
        results.save(entries, found, libraries, whole=all_measured and not options.only)
    pages.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
