"""Measures two ranks against one process and against torch's, and exchanges of 1 to 4 ranks; writes docs/scaling.md.

python -m bench.mpi --python torch=/path/to/venv/bin/python      # in the top folder; four minutes on two cores
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from .. import results
from ..pool import TOP
from ..runtimes import environment, interpreter
from .problems import PROBLEMS

ROUNDS, SECONDS = 3, 1.5  # everybody measures once a round; seconds for each model
RANKS = (1, 2, 3, 4)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mpi", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one short round; prints and writes nothing")
    parser.add_argument("--python", metavar="torch=PATH", action="append", default=[], help="torch's interpreter")
    return parser.parse_args()


def command(module: str, ranks: int) -> list[str]:
    """Return what starts a job of ours."""
    mpiexec = [str(Path(sys.executable).parent / "mpiexec"), "-n", str(ranks)] if ranks > 1 else []
    return [*mpiexec, sys.executable, "-m", f"bench.mpi.{module}"]


class Jobs:
    """The programs that measure: each writes a JSON file, which is read here."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.torch = interpreter("torch", dict(pair.split("=", 1) for pair in options.python))
        self.seconds = 0.2 if options.quick else SECONDS

    def run(self, name: str, start: list[str], *more: str, threads: int = 1, seconds: float = 0.0) -> Any:
        """Return what a job has written, None where it fails."""
        print(name, file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="steepest-bench-") as folder:
            out = Path(folder) / "out.json"
            done = subprocess.run(
                [*start, str(out), str(seconds or self.seconds), *more],
                cwd=TOP,
                env=environment("torch" if self.torch == start[0] else "steepest", threads),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=240,
            )
            if done.returncode or not out.exists():
                last = (done.stderr.strip().splitlines() or ["nothing on its error output"])[-1]
                print(f"{name}: exit status {done.returncode}: {last}", file=sys.stderr)
                return None
            return json.loads(out.read_text())

    def round(self) -> dict[str, Any]:
        """Let everybody measure the models once."""
        torch = [self.torch, "-m", "bench.mpi.torch_models"]
        return {
            "steepest 1x1": self.run("steepest, one process", command("models", 1)),
            "steepest 1x2": self.run("steepest, one process of two threads", command("models", 1), threads=2),
            "steepest 2x1": self.run("steepest, two ranks", command("models", 2)),
            "torch 1x1": self.run("torch, one process", torch, "1"),
            "torch 2x1": self.run("torch, two ranks", torch, "2"),
        }

    def exchanges(self) -> list[Any]:
        """Return the exchanges of so many ranks."""
        return [
            self.run(f"exchanges of {ranks} ranks", command("exchanges", ranks), seconds=self.seconds / 5)
            for ranks in RANKS
        ]


def main() -> int:
    options = arguments()
    jobs = Jobs(options)
    rounds = [jobs.round() for _ in range(1 if options.quick else ROUNDS)]
    found: dict[str, Any] = {"models": {name: problem.title for name, problem in PROBLEMS.items()}}
    found |= {"rounds": rounds, "exchanges": jobs.exchanges()}
    if options.quick:
        print(json.dumps(found, indent=1))
        return 0
    libraries = {name: importlib.metadata.version(name) for name in ("numpy", "mpi4py", "mpich")}
    libraries["torch"] = next((each["torch 2x1"]["torch"] for each in rounds if each["torch 2x1"]), "none")
    path = results.file("mpi-")
    date = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    path.write_text(results.pretty({"machine": results.machine(libraries), "date": date, **found}))
    print(f"written: {path}", file=sys.stderr)
    return subprocess.run([sys.executable, str(TOP / "docs" / "scaling.py")], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
