"""Every table of conformance cases, read into their registries, and which cases and programs are of which area."""

from importlib import import_module
from typing import Any

from answers import EAGER, GRAPH, PROGRAMS
from op_cases import CASES, words
from op_errors import ERRORS

__all__ = ["AREAS", "CASES", "ERRORS"]

# What is compared: (the area, as its module says it; its cases or programs).
AREAS: dict[str, list[tuple[str, list[Any]]]] = {"calls": [], "errors": [], "graph": [], "eager": []}


def read(what: str, module_name: str, registry: dict[str, Any]) -> None:
    """Import a module that registers cases, and note which; its programs may be known before."""
    before = set(registry)
    module = import_module(module_name)
    programs = registry is GRAPH or registry is EAGER
    found = [
        case for name, case in registry.items() if (case.__module__ == module_name if programs else name not in before)
    ]
    if found:
        AREAS[what].append(((module.__doc__ or "").strip().rstrip("."), found))


for table in words(
    "math reduce special complex linalg operators arrays shapes sparse strings images nn losses state schedules "
    "gradients names sessions training variables types"
):
    read("calls", f"op_cases_{table}", CASES)

for table in words("run build state train checks"):
    read("errors", f"op_errors_{table}", ERRORS)

for table in PROGRAMS:
    mode = "eager" if table.startswith("eager") else "graph"
    read(mode, f"answers_{table}", EAGER if mode == "eager" else GRAPH)
