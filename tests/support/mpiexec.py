"""Runs a program on real MPI processes, by the mpiexec that comes with mpich's wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import steepest

SUPPORT = Path(__file__).parent
PACKAGES = Path(steepest.__file__).parents[1]  # the package under test, installed or not


@dataclass
class Done:
    """What a job has come to: its status, and the output of each rank."""

    returncode: int
    stdout: list[str]
    stderr: list[str]
    launcher: str


def mpiexec(ranks: int, program: str, *arguments: str, timeout: float = 60) -> Done:
    """Run the text of a program; ``-m`` as text runs the module that the arguments name."""
    launcher = Path(sys.executable).parent / "mpiexec"
    command = [sys.executable, "-m"] if program == "-m" else [sys.executable, "-c", program]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(SUPPORT), str(PACKAGES), os.environ.get("PYTHONPATH", "")]),
        "STEEPEST_NUM_THREADS": "1",
    }
    with tempfile.TemporaryDirectory() as folder:
        patterns = ["-outfile-pattern", f"{folder}/out%r", "-errfile-pattern", f"{folder}/err%r"]
        done = subprocess.run(
            [str(launcher), "-n", str(ranks), *patterns, *command, *arguments],
            capture_output=True,
            text=True,
            timeout=timeout,
            env=environment,
        )
        texts = [
            [
                (Path(folder) / f"{kind}{rank}").read_text() if (Path(folder) / f"{kind}{rank}").exists() else ""
                for rank in range(ranks)
            ]
            for kind in ("out", "err")
        ]
    return Done(done.returncode, *texts, done.stdout + done.stderr)
