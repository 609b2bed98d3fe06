"""The workers of a run: started when first needed, asked with a time limit, replaced when they die."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .runtimes import RUNTIMES, environment, interpreter

TOP = Path(__file__).parent.parent


def processors() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))


class Process:
    """One worker: pinned, so that no library exceeds the count, and stopped between requests.

    Idle threads of OpenMP spin for milliseconds and some of numba's poll for ever: they would take the others' time.
    """

    def __init__(self, runtime: str, threads: int, chosen: dict[str, str], log: Path) -> None:
        cpus = processors()
        mine = cpus[-1:] if threads == 1 else cpus[:threads]
        pin = (lambda: os.sched_setaffinity(0, mine)) if hasattr(os, "sched_setaffinity") else None
        with log.open("ab") as errors:
            self.process = subprocess.Popen(
                [interpreter(runtime, chosen), "-m", "bench.worker", runtime],
                cwd=TOP,
                env=environment(runtime, threads),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                preexec_fn=pin,
            )

    def ask(self, limit: float, **request: Any) -> dict[str, Any]:
        """Return the reply, or {"error": ...} where none came within `limit` seconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.send_signal(signal.SIGCONT)
            self.process.stdin.write((json.dumps(request) + "\n").encode())
            self.process.stdin.flush()
            if not select.select([self.process.stdout], [], [], limit)[0]:
                self.stop()
                return {"error": f"no answer in {limit:.0f} s"}
            line = self.process.stdout.readline()
            self.process.send_signal(signal.SIGSTOP)
        except BrokenPipeError:
            line = b""
        if not line:
            self.stop()
            return {"error": f"its process ended (exit status {self.process.returncode})"}
        return dict(json.loads(line))

    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


class Pool:
    def __init__(self, chosen: dict[str, str]) -> None:
        self.chosen = chosen
        self.scratch = Path(tempfile.mkdtemp(prefix="steepest-bench-"))
        self.log = self.scratch / "workers.log"
        self._processes: dict[tuple[str, int], Process] = {}
        self._lacking: dict[str, str] = {}
        self.versions: dict[str, str] = {}

    def lacking(self, runtime: str, threads: int) -> str | None:
        """Return why a runtime takes no part, or None; starts its worker."""
        if runtime not in self._lacking and self.get(runtime, threads) is None:
            return self._lacking.get(runtime, "its process does not start")
        return self._lacking.get(runtime)

    def get(self, runtime: str, threads: int) -> Process | None:
        if runtime in self._lacking:
            return None
        process = self._processes.get((runtime, threads))
        if process is None or not process.alive():
            try:
                process = Process(runtime, threads, self.chosen, self.log)
            except OSError as error:
                self._lacking[runtime] = str(error)
                return None
            reply = process.ask(60, do="hello")
            if "error" in reply or "missing" in reply:
                reason = f"{reply['missing']} is not installed" if "missing" in reply else str(reply["error"])
                self._lacking[runtime] = reason
                process.stop()
                return None
            self.versions = {**reply["versions"], **self.versions}
            self._processes[runtime, threads] = process
        return process

    def close(self) -> None:
        for process in self._processes.values():
            if process.alive():
                process.stop()
        for path in sorted(self.scratch.glob("*.npy")):
            path.unlink()

    @staticmethod
    def runtimes() -> list[str]:
        return list(RUNTIMES)
