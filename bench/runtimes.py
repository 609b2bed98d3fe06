"""The processes that contenders run in: what each needs installed, its interpreter and its environment."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Runtime:
    needs: tuple[str, ...]  # modules without which it does not take part
    interpreter: str = ""  # the runtime whose interpreter it uses, where not its own name's
    environment: dict[str, str] = field(default_factory=dict)


RUNTIMES = {
    "steepest": Runtime(("steepest",)),
    "steepest baseline": Runtime(("steepest",), "steepest", {"STEEPEST_ISA": "baseline"}),
    "native": Runtime(()),
    "numpy": Runtime(("numpy",)),
    "numba": Runtime(("numba",)),
    "torch": Runtime(("torch",)),
    "jax": Runtime(("jax", "optax"), environment={"JAX_PLATFORMS": "cpu"}),
    "autograd": Runtime(("autograd",)),
    "fbgemm": Runtime(("torch", "fbgemm_gpu")),
    "tensorflow": Runtime(("tensorflow",)),
    "tensorflow 1": Runtime(("tensorflow",), "tensorflow"),
}


def interpreter(runtime: str, chosen: dict[str, str]) -> str:
    """Return the interpreter: --python RUNTIME=PATH, else BENCH_PYTHON_<RUNTIME>, else the one that runs the driver."""
    name = RUNTIMES[runtime].interpreter or runtime
    variable = "BENCH_PYTHON_" + name.upper().replace(" ", "_")
    return chosen.get(name) or os.environ.get(variable) or sys.executable


def environment(runtime: str, threads: int) -> dict[str, str]:
    """Return the environment of a worker: the same thread count for every library."""
    counts = ["OMP", "MKL", "OPENBLAS", "NUMBA", "STEEPEST"]
    return {
        **os.environ,
        **{f"{name}_NUM_THREADS": str(threads) for name in counts},
        "BENCH_THREADS": str(threads),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        **RUNTIMES[runtime].environment,
    }


def threads() -> int:
    """Return the thread count of the worker that asks."""
    return int(os.environ.get("BENCH_THREADS", "1"))


def versions(runtime: str) -> dict[str, str]:
    """Return the versions of the distributions that the runtime needs."""
    named = importlib.metadata.packages_distributions()
    found = {name for module in ("numpy", *RUNTIMES[runtime].needs) for name in named.get(module, [])[:1]}
    return {name.replace("_", "-"): importlib.metadata.version(name) for name in sorted(found)}


def missing(runtime: str) -> str | None:
    """Return the first module that the runtime needs and this interpreter lacks."""
    return next((name for name in RUNTIMES[runtime].needs if importlib.util.find_spec(name) is None), None)
