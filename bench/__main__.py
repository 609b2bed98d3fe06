"""Times every case, contenders interleaved in one run, and rewrites the tables in README.md beside this file."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import steepest as st

from . import contenders as c
from . import graph_mode

HERE = Path(__file__).parent
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
# Bytes that an update has to move for each float32 element: every array read, every state array written.
BYTES = {"sgd": 12, "momentum": 20, "adagrad": 20, "adam": 28}


def measure(makers: list[Callable[[], c.Contender]], seconds: float) -> dict[str, float]:
    """Return the median time of a step for each contender; they take turns, and must agree on the answer first."""
    entrants = [make() for make in makers]
    for entrant in entrants:
        for _ in range(3):
            entrant.step()
    answer = entrants[0].parameter()
    for other in entrants[1:]:
        np.testing.assert_allclose(other.parameter(), answer, rtol=1e-5, atol=1e-6, err_msg=other.name)
    start = time.perf_counter()
    entrants[0].step()
    repeats = max(1, int(0.002 / max(time.perf_counter() - start, 1e-7)))
    times: dict[str, list[float]] = {entrant.name: [] for entrant in entrants}
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(times[entrants[0].name]) < 5:
        for entrant in entrants:
            start = time.perf_counter()
            for _ in range(repeats):
                entrant.step()
            times[entrant.name].append((time.perf_counter() - start) / repeats)
    return {name: statistics.median(found) for name, found in times.items()}


def dense(seconds: float) -> list[dict[str, Any]]:
    rows = []
    for rule, bytes_per_element in BYTES.items():
        for n in (1_000, 100_000, 10_000_000):
            makers = [lambda r=rule, n=n: c.steepest_dense(r, n), lambda r=rule, n=n: c.numpy_dense(r, n)]
            if c.has_torch():
                makers.append(lambda r=rule, n=n: c.torch_dense(r, n))
            found = measure(makers, seconds)
            rate = bytes_per_element * n / found["steepest"] / 1e9
            rows.append({"case": f"{rule}, {n:,} elements", "seconds": found, "bytes": bytes_per_element, "GB/s": rate})
            print(rows[-1]["case"], {name: f"{1e6 * t:.1f} us" for name, t in found.items()}, flush=True)
    return rows


def sparse(seconds: float) -> list[dict[str, Any]]:
    rows = []
    table, width, batch = 1_000_000, 64, 65_536
    for label, exponent in (("uniform", None), ("Zipf 1.1", 1.1)):
        ids = c.zipf_ids(table, batch, exponent)
        makers = [
            lambda ids=ids: c.steepest_sparse("adagrad", table, width, ids),
            lambda ids=ids: c.numpy_sparse("adagrad", table, width, ids),
        ]
        if c.has_torch():
            makers.append(lambda ids=ids: c.torch_sparse("adagrad", table, width, ids))
        found = measure(makers, seconds)
        unique = len(np.unique(ids))
        moved = 16 * width * unique + 4 * width * batch
        case = f"adagrad, {table:,} x {width}, {batch:,} {label} ids ({unique:,} unique)"
        rows.append({"case": case, "seconds": found, "bytes": moved / batch, "GB/s": moved / found["steepest"] / 1e9})
        print(case, {name: f"{1e6 * t:.1f} us" for name, t in found.items()}, flush=True)
    return rows


def programs(repeats: int = 7) -> list[dict[str, Any]]:
    """Whole processes: what an import adds to NumPy's own, and the main job at its defaults."""

    def seconds(*command: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - start

    turns = [(seconds("-c", "import numpy"), seconds("-c", "import numpy, steepest")) for _ in range(repeats)]
    words = statistics.median(seconds("-m", "steepest", "words") for _ in range(3))
    return [
        {"program": "import numpy", "seconds": statistics.median(a for a, _ in turns)},
        {"program": "import steepest, beyond import numpy", "seconds": statistics.median(b - a for a, b in turns)},
        {"program": "python -m steepest words", "seconds": words},
    ]


def machine() -> str:
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    info = st.config()
    return f"{model}, {info['processors']} processors, {info['isa']} kernels, NumPy {info['numpy']}"


def table(title: str, unit: str, rows: list[dict[str, Any]]) -> list[str]:
    names = list(rows[0]["seconds"])
    rivals = names[1:]
    head = ["case", *(f"{name}, us" for name in names), *(f"{name} / steepest" for name in rivals), unit, "GB/s"]
    lines = [f"### {title}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        times = row["seconds"]
        cells = [row["case"], *(f"{1e6 * times[name]:.1f}" for name in names)]
        cells += [f"{times[name] / times['steepest']:.1f}" for name in rivals]
        cells += [f"{row['bytes']:.0f}", f"{row['GB/s']:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="thread counts to measure")
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each case")
    args = parser.parse_args()
    results: dict[str, Any] = {"machine": machine(), "runs": []}
    lines = [BEGIN, "", f"Measured on: {results['machine']}. Medians; contenders take turns in one run.", ""]
    # Threads of one contender that spin while they wait would take the processors from the next one.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    for threads in args.threads:
        st.set_num_threads(threads)
        if c.has_torch():
            import torch

            torch.set_num_threads(threads)
        run = {"threads": threads, "dense": dense(args.seconds), "sparse": sparse(args.seconds)}
        results["runs"].append(run)
        lines += table(f"Dense, float32, {threads} thread(s)", "bytes/element", run["dense"])
        lines += table(f"Sparse rows, float32, {threads} thread(s)", "bytes/id", run["sparse"])
    st.set_num_threads(1)
    results["graph mode"] = graph_mode.rows(measure, args.seconds)
    lines += graph_mode.table(results["graph mode"])
    results["programs"] = programs()
    lines += ["### Programs", "", "| program | seconds |", "|---|---|"]
    lines += [f"| {row['program']} | {row['seconds']:.3f} |" for row in results["programs"]]
    lines.append("")
    (HERE / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    readme = HERE / "README.md"
    before, rest = readme.read_text().split(BEGIN)
    readme.write_text(before + "\n".join([*lines, END]) + rest.split(END)[1])


if __name__ == "__main__":
    main()
