"""Writes the map in design.md, a line for each file, from the files' own first sentences: `python docs/map.py`."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

TOP = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "design.md"
BEGIN, END = "<!-- map: begin -->", "<!-- map: end -->"

# In the order of the arrows: a room may import what stands above it. A Python room is described by its __init__.py.
ROOMS = {
    "cpp/include/steepest/kernel": "Compiled once for each instruction set: what is done with a block of elements",
    "cpp/include/steepest/kernel/rules": "The update rules, one struct each",
    "cpp/include/steepest/runtime": "Compiled once: many tensors in one call, threads, memory",
    "cpp/src": "What the two folders above declare, compiled",
    "cpp/bind": "The module `_core`: NumPy's arrays to checked pointers; alone knows both Python and the core",
    "cpp/tape": "The tape: what is recorded, and the way back; knows Python, not the core",
    "cpp/tests": "The core's tests, without Python",
    "python/steepest/base": "",
    "python/steepest/ops": "",
    "python/steepest/ops/vjps": "",
    "python/steepest/variables": "",
    "python/steepest/autodiff": "",
    "python/steepest/optim": "",
    "python/steepest/optim/clip": "",
    "python/steepest/optim/schedules": "",
    "python/steepest/optim/hooks": "",
    "python/steepest/optim/wrappers": "",
    "python/steepest/nn": "",
    "python/steepest/debugging": "",
    "python/steepest/checkpoint/foreign": "",
    "python/steepest/checkpoint": "",
    "python/steepest/mpi": "",
    "python/steepest": "",
    "python/steepest/cli": "",
    "python/steepest/v1/graph": "",
    "python/steepest/v1/ops": "",
    "python/steepest/v1/variables": "",
    "python/steepest/v1/autodiff": "",
    "python/steepest/v1/functions": "",
    "python/steepest/v1/optim": "",
    "python/steepest/v1/saving": "",
    "python/steepest/v1/training": "",
    "python/steepest/v1/summaries": "",
    "python/steepest/v1/pipelines": "",
    "python/steepest/v1/command_line": "",
    "python/steepest/v1": "",
    "python/steepest/v1/tables": "",
    "python/steepest/v1/testing": "",
    "python/steepest/v1/metrics": "",
    "python/steepest/v1/keras": "",
    "python/steepest/v1/keras/datasets": "",
    "python/steepest/v1/keras/preprocessing": "",
    "python/steepest/v1/layers": "",
    "python/steepest/v1/distributions": "",
    "python/steepest/v1/contrib": "",
    "python/steepest/v1/contrib/eager": "",
    "python/steepest/v1/contrib/factorization": "",
    "python/steepest/v1/contrib/image": "",
    "python/steepest/v1/contrib/layers": "",
    "python/steepest/v1/contrib/losses": "",
    "python/steepest/v1/contrib/metrics": "",
    "python/steepest/v1/contrib/distributions": "",
    "python/steepest/v1/contrib/learn": "",
    "python/steepest/v1/contrib/learn/datasets": "",
    "python/steepest/v1/contrib/learn/preprocessing": "",
    "python/steepest/v1/contrib/slim": "",
    "python/steepest/v1/contrib/solvers": "",
    "python/steepest/v1/contrib/constrained_optimization": "",
    "python/steepest/v1/contrib/bayesflow": "",
    "python/steepest/v1/saved_model": "",
    "python/steepest/v1/io": "",
    "python/steepest/v1/contrib/compiler": "",
    "python/steepest/v1/xla": "",
    "python/steepest/v1/contrib/tensorboard": "",
    "python/steepest/v1/contrib/tensorboard/plugins": "",
    "python/steepest/v1/python": "",
    "python/steepest/v1/examples": "",
    "python/steepest/v1/examples/tutorials": "",
    "python/steepest/v1/examples/tutorials/mnist": "",
}
# Of files that do not begin with words.
SILENT = {
    "_core.pyi": "The functions of the compiled module: their types and docstrings",
    "module.cpp": "The module itself: registers everything",
    "prefetch_next.cpp": "Which small tensor comes next, so that its memory can be asked for ahead",
    "separate_symbols.cmake": "Fails where object files of two instruction sets define the same symbol",
}
SUFFIXES = {".py", ".pyi", ".hpp", ".cpp", ".in", ".cmake", ".txt"}


def first_sentence(text: str) -> str:
    """Return a text's first sentence, on one line and without its full stop."""
    text = " ".join(text.split("\n\n")[0].split())
    return re.split(r"(?<=[^.])\.(?:\s|$)", text, maxsplit=1)[0].rstrip(":;").replace("``", "`")


def purpose(path: Path) -> str:
    """Return what a file says of itself: its docstring, or the comment at its top; '' where it says nothing."""
    text = path.read_text("utf-8")
    if path.suffix in (".py", ".pyi"):
        return first_sentence(ast.get_docstring(ast.parse(text)) or "")
    mark = "#" if path.suffix in (".cmake", ".txt") else "//"
    lines = []
    for line in text.splitlines():
        words = line.removeprefix(mark)
        if words == line or words.startswith("  "):  # code, or a formula
            break
        lines.append(words.strip())
    return first_sentence("\n".join(lines))


@functools.cache
def sources() -> list[Path]:
    """List every source file under python/ and cpp/."""
    found = [p for folder in ("python", "cpp") for p in (TOP / folder).rglob("*") if p.suffix in SUFFIXES]
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def room_of(path: Path) -> str:
    return path.parent.relative_to(TOP).as_posix()


def line(path: Path) -> str:
    """Return a file's line on the map; a .cpp without words of its own does what its header says."""
    if path.suffix == ".cpp" and any(p.stem == path.stem and p.suffix == ".hpp" for p in sources()):
        return f"- `{path.name}`: what `{path.stem}.hpp` declares"
    return f"- `{path.name}`: {purpose(path) or SILENT.get(path.name, '')}"


def mute(paths: list[Path]) -> list[str]:
    """List the files that do not say what they are for."""
    return [p.relative_to(TOP).as_posix() for p in paths if line(p).endswith(": ") and p.name != "__init__.py"]


def room_title(room: str) -> str:
    return ROOMS[room] or purpose(TOP / room / "__init__.py")


def map_of_files() -> str:
    by_room: dict[str, list[Path]] = {}
    for path in sources():
        by_room.setdefault(room_of(path), []).append(path)
    parts = []
    for room in [room for room in ROOMS if room in by_room]:
        files = by_room[room]
        shown = [line(path) for path in files if path.name not in ("__init__.py", "CMakeLists.txt")]
        parts.append("\n".join([f"### `{room}/`", "", f"{room_title(room)}.", "", *shown, ""]))
    return "\n".join(parts)


def page() -> str:
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n\n{map_of_files()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
