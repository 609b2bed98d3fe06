"""Imports point one way: no module imports from a floor above its own, and no two files need each other."""

import ast
import functools
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1] / "python"

# From the ground up. A module is on the floor of the longest name with which its own begins.
FLOORS = [
    ["base"],
    ["ops"],
    ["ops.vjps"],
    ["variables"],
    ["autodiff"],
    ["nn", "optim", "testing"],
    ["checkpoint", "debugging"],
    ["mpi"],
    ["__init__", "hooks", "clip", "schedules"],  # these hand on what is public
    ["v1.graph"],
    ["v1.ops"],
    ["v1.variables"],
    ["v1.autodiff"],
    ["v1.functions"],
    ["v1.optim"],
    ["v1.saving"],
    ["v1.training"],
    ["v1"],
    ["cli", "__main__"],
]

# The files that may import inside a function (Python's own modules do not count), and why.
LATE = {
    "checkpoint.npz": "ml_dtypes is optional",
    "checkpoint.foreign.tensor_bundle": "ml_dtypes is optional",
    "checkpoint.safetensors": "ml_dtypes is optional",
    "ops.vjps.special": "SciPy is optional",
    "v1.optim.external_optimizer": "SciPy is optional",
    "mpi.wire": "mpi4py is optional",
    "cli.plot": "matplotlib is optional",
    "cli.report": "tqdm is optional",
    "cli": "a command is imported when it runs, so that the others start sooner",
}

FLOOR_OF = {f"steepest.{name}": floor for floor, names in enumerate(FLOORS) for name in names}
FLOOR_OF["steepest"] = FLOOR_OF.pop("steepest.__init__")


def module_name(file: Path) -> str:
    return ".".join(file.relative_to(PYTHON).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(file): file for file in PYTHON.rglob("*.py")}


def floor(module: str) -> int:
    while module not in FLOOR_OF:
        module = module.rpartition(".")[0]
    return FLOOR_OF[module]


def sources(module: str, node: ast.AST) -> set[str]:
    """Return the modules that an import statement reads from."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if not isinstance(node, ast.ImportFrom):
        return set()
    folder = FILES[module].relative_to(PYTHON).parent.parts
    start = folder[: len(folder) - node.level + 1] if node.level else ()
    source = ".".join([*start, *filter(None, [node.module])])
    names = (f"{source}.{alias.name}" for alias in node.names)
    return {name if name in FILES or name == "steepest._core" else source for name in names}


@functools.cache
def imports(module: str) -> tuple[set[str], set[str]]:
    """Return what a module imports at once and what inside functions; imports for annotations are left out."""
    tree = ast.parse(FILES[module].read_text())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    guards = (node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    inside = {node for function in functions for node in ast.walk(function)}
    typing = {node for guard in guards for node in ast.walk(guard)}
    at_once: set[str] = set()
    late: set[str] = set()
    for node in set(ast.walk(tree)) - typing:
        (late if node in inside else at_once).update(sources(module, node))
    return at_once, late


@pytest.mark.parametrize("module", sorted(FILES))
def test_imports_come_from_this_floor_or_below(module: str) -> None:
    at_once, late = imports(module)
    assert [name for name in (at_once | late) & FILES.keys() if floor(name) > floor(module)] == []


def test_what_the_package_imports_late_is_on_its_own_floor_or_below() -> None:
    # Above it modules ask it for late names as they are imported, which one of those must not wait for.
    nodes = ast.walk(ast.parse(FILES["steepest"].read_text()))
    assert [
        name for node in nodes for name in sources("steepest", node) & FILES.keys() if floor(name) > floor("steepest")
    ] == []


def test_few_files_import_inside_functions_and_each_has_its_reason() -> None:
    others = {file: {name.split(".")[0] for name in imports(file)[1]} - sys.stdlib_module_names for file in FILES}
    assert {file for file, names in others.items() if names} == {f"steepest.{name}" for name in LATE}
    assert len(LATE) <= 10


def test_no_files_import_each_other() -> None:
    TopologicalSorter({file: imports(file)[0] & FILES.keys() for file in FILES}).prepare()  # raises CycleError
