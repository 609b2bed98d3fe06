"""Compiles the C++ of bench/native where it runs, and calls it."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = sorted((HERE / "native").glob("*.cpp"))
FLAGS = ["-std=c++20", "-O3", "-fno-math-errno", "-fopenmp", "-shared", "-fPIC"]
NATIVE, BASELINE = "native", "x86-64"


class Numbers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("rate", "beta1", "beta2", "epsilon", "momentum")]


@functools.cache
def library(architecture: str = NATIVE) -> ctypes.CDLL:
    """Return the compiled loops. Compiled again when a source, a flag or the processor differs."""
    cpu = next((x for x in _cpuinfo() if x.startswith("flags")), "")
    text = b"".join(path.read_bytes() for path in [*SOURCES, *sorted((HERE / "native").glob("*.hpp"))])
    name = hashlib.sha256(text + repr((FLAGS, architecture, cpu)).encode()).hexdigest()[:16]
    folder = HERE.parent / "build" / "bench-native"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.so"
    if not path.exists():
        part = path.with_suffix(f".{os.getpid()}")
        compiler = os.environ.get("CXX", "c++")
        subprocess.run(
            [compiler, *FLAGS, f"-march={architecture}", "-o", str(part), *map(str, SOURCES)],
            check=True,
            capture_output=True,
        )
        part.replace(path)
    loaded = ctypes.CDLL(str(path))
    pointer, integer, long = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
    loaded.bench_mix.argtypes = [integer, integer, pointer, long, long, integer]
    loaded.bench_read.argtypes = [integer, pointer, long, integer]
    loaded.bench_copy.argtypes = [pointer, long, integer]
    loaded.bench_loop.argtypes = [integer, integer, pointer, long, long, integer, long, pointer]
    loaded.bench_rows.argtypes = [integer, pointer, long, pointer, pointer, pointer, long, long, long, integer]
    for function in (loaded.bench_mix, loaded.bench_read, loaded.bench_copy, loaded.bench_loop, loaded.bench_rows):
        function.restype = None
    return loaded


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text().splitlines() if path.exists() else []
