"""The processes that contenders run in: what each needs installed, its interpreter and its environment."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Family:
    needs: tuple[str, ...]  # modules without which it does not take part
    interpreter: str = ""  # the family whose interpreter it uses, where not its own name's
    environment: dict[str, str] = field(default_factory=dict)


FAMILIES = {
    "steepest": Family(("steepest",)),
    "steepest baseline": Family(("steepest",), "steepest", {"STEEPEST_ISA": "baseline"}),
    "native": Family(()),
    "numpy": Family(("numpy",)),
    "numba": Family(("numba",)),
    "torch": Family(("torch",)),
    "jax": Family(("jax", "optax"), environment={"JAX_PLATFORMS": "cpu"}),
    "autograd": Family(("autograd",)),
    "fbgemm": Family(("torch", "fbgemm_gpu")),
    "tensorflow": Family(("tensorflow",)),
    "tensorflow 1": Family(("tensorflow",), "tensorflow"),
}


def interpreter(family: str, chosen: dict[str, str]) -> str:
    """Return the interpreter: --python FAMILY=PATH, else BENCH_PYTHON_<FAMILY>, else the one that runs the driver."""
    name = FAMILIES[family].interpreter or family
    variable = "BENCH_PYTHON_" + name.upper().replace(" ", "_")
    return chosen.get(name) or os.environ.get(variable) or sys.executable


def environment(family: str, threads: int) -> dict[str, str]:
    """Return the environment of a worker: the same thread count for every library."""
    counts = ["OMP", "MKL", "OPENBLAS", "NUMBA", "STEEPEST"]
    return {
        **os.environ,
        **{f"{name}_NUM_THREADS": str(threads) for name in counts},
        "BENCH_THREADS": str(threads),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
        **FAMILIES[family].environment,
    }


def threads() -> int:
    """Return the thread count of the worker that asks."""
    return int(os.environ.get("BENCH_THREADS", "1"))


def versions(family: str) -> dict[str, str]:
    """Return the versions of the distributions that the family needs."""
    named = importlib.metadata.packages_distributions()
    found = {name for module in ("numpy", *FAMILIES[family].needs) for name in named.get(module, [])[:1]}
    return {name.replace("_", "-"): importlib.metadata.version(name) for name in sorted(found)}


def missing(family: str) -> str | None:
    """Return the first module that the family needs and this interpreter lacks."""
    return next((name for name in FAMILIES[family].needs if importlib.util.find_spec(name) is None), None)
