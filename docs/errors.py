"""Writes errors.md, every message, from the source and the catalogues of bad inputs: `python docs/errors.py`."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).parent.parent
PAGE = Path(__file__).parent / "errors.md"
PACKAGE = TOP / "python" / "steepest"
sys.path[:0] = [str(TOP / "tests" / "support"), str(Path(__file__).parent)]

from bad_examples import Example, examples  # noqa: E402
from map import ROOMS, room_title  # noqa: E402

INDIRECT = {
    "lost_state": "StateWarning",
    "atomic": "OSError",
    "text": "CommandError",
    "graph_making": "ValueError",
}  # made by another call
HOUSE = "must"  # base/errors.py's function


@dataclass
class Message:
    """A message as the source has it, with {...} where a value goes in."""

    room: str
    file: str
    first: int
    last: int
    error: str
    text: str
    remedy: str = ""
    example: str = ""

    @property
    def pattern(self) -> str:
        return "".join(".*" if part.startswith("{") else re.escape(part) for part in re.split(r"({[^}]*})", self.text))


class Reader(ast.NodeVisitor):
    """Finds the messages of one module."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: list[Message] = []
        self._names: list[dict[str, list[ast.expr]]] = [{}]
        self._errors: list[str] = []
        self.visit(ast.parse(path.read_text("utf-8")))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        names: dict[str, list[ast.expr]] = {}
        for inside in ast.walk(node):
            if isinstance(inside, ast.Assign):
                for target in inside.targets:
                    pairs = [(target, inside.value)]
                    if isinstance(target, ast.Tuple) and isinstance(inside.value, ast.Tuple):
                        pairs = list(zip(target.elts, inside.value.elts, strict=True))
                    for name, value in pairs:
                        if isinstance(name, ast.Name):
                            names.setdefault(name.id, []).append(value)
        self._names.append(names)
        self.generic_visit(node)
        self._names.pop()

    def visit_Call(self, node: ast.Call) -> None:
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name == HOUSE and len(node.args) >= 4:
            error = self._errors[-1] if self._errors else ""
            who, argument, rule, got, *remedy = (self._text(part, node.lineno) for part in node.args)
            self._add(node, error, f"{who}: {argument} must {rule}, got {got}", remedy[0] if remedy else "")
            return
        if not name.endswith(("Error", "Warning")):
            self.generic_visit(node)
            return
        plain = next((part for part in node.args if isinstance(part, (ast.Constant, ast.JoinedStr, ast.BinOp))), None)
        if plain is not None and not any(isinstance(n, ast.Call) and _called(n) == HOUSE for n in ast.walk(plain)):
            text = self._text(plain, node.lineno)
            if re.search(r"[a-z] ", text):
                self._add(node, name, text, "")
        self._errors.append(name)
        self.generic_visit(node)
        self._errors.pop()

    def _add(self, node: ast.Call, error: str, text: str, remedy: str) -> None:
        room = str(self.path.parent.relative_to(TOP))
        last = node.end_lineno or node.lineno
        file = str(self.path.relative_to(PACKAGE.parent))
        self.found.append(Message(room, file, node.lineno, last, error or INDIRECT[self.path.stem], text, remedy))

    def _text(self, part: ast.expr, line: int) -> str:
        """Return the text of an expression, {source} for what only a run knows."""
        if isinstance(part, ast.Constant):
            return part.value if isinstance(part.value, str) else repr(part.value)
        if isinstance(part, ast.JoinedStr):
            return "".join(self._text(value, line) for value in part.values)
        if isinstance(part, ast.FormattedValue):
            what = part.value
            name = getattr(what, "id", getattr(what, "attr", "…"))
            return "{" + name.strip("_") + "}"
        if isinstance(part, ast.IfExp):
            either = sorted({self._text(part.body, line), self._text(part.orelse, line)})
            if "None" in either:
                return "where it helps: " + next(text for text in either if text != "None")
            return "{" + re.sub("[{}]", "", " or: ".join(either)) + "}"
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            return self._text(part.left, line) + self._text(part.right, line)
        if isinstance(part, ast.Name):
            values = [value for value in self._names[-1].get(part.id, []) if value.lineno <= line]
            return (
                self._text(max(values, key=lambda value: value.lineno), line)
                if values
                else "{" + part.id.strip("_").lower() + "}"
            )
        return "{…}"


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", ""))


def native_messages() -> Iterator[Message]:
    """Yield the compiled module's messages for users; those for the library itself begin with _core."""
    for path in sorted((TOP / "cpp").rglob("*.[ch]pp")):
        source = path.read_text("utf-8")
        for found in re.finditer(r"(?:fail\(PyExc_(\w+),|throw std::(invalid_argument)\()(.*?)\);\n", source, re.S):
            text = " ".join(found[3].split())
            parts = re.split(r'("(?:[^"\\]|\\.)*")', text)
            text = "".join(p[1:-1] if p.startswith('"') else "{…}" if p.strip(" +") else "" for p in parts)
            if "_core" not in text:
                room = str(path.parent.relative_to(TOP))
                yield Message(room, str(path), 0, 0, found[1] or "ValueError", text)


def messages() -> list[Message]:
    """Return every message, with an example where a catalogue has one."""
    found = [message for path in sorted(PACKAGE.rglob("*.py")) for message in Reader(path).found]
    found += native_messages()
    for example in examples():
        place = place_of(found, example)
        if place is not None and not place.example:
            place.example = example.code
    return found


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled once: there are more of them than `re` keeps."""
    return re.compile(pattern, re.S)


def place_of(found: list[Message], example: Example) -> Message | None:
    """Return the message that an example has raised: that of its line, else the one with most words in common."""
    for message in found:
        if example.file.endswith(message.file) and message.first <= example.line <= message.last:
            return message
    fitting = [m for m in found if m.error == example.error and _compiled(m.pattern).match(example.text)]
    return max(fitting, key=lambda message: len(re.sub(r"{[^}]*}", "", message.text)), default=None)


def cell(text: str) -> str:
    return "`" + " ".join(text.split()).replace("|", "\\|").replace("`", "'") + "`" if text else ""


def page() -> str:
    found = messages()
    lines = [HEAD.format(count=len(found))]
    for room in ROOMS:
        of_room = {(m.text, m.error): m for m in sorted(found, key=lambda m: bool(m.example)) if m.room == room}
        if of_room:
            head = "| message | error | remedy | for example |\n|---|---|---|---|"
            lines.append(f"## `{room}`\n\n{room_title(room)}.\n\n{head}")
            rows = sorted(of_room.values(), key=lambda m: (m.file, m.first, m.text))
            lines += [f"| {cell(m.text)} | {m.error} | {m.remedy} | {cell(m.example)} |" for m in rows]
            lines.append("")
    return "\n".join(lines)


HEAD = """# Errors

This page is written by `python docs/errors.py` from the library's source and from the catalogues of bad inputs in its
tests; a test fails when it is out of date. It has {count} messages, by the room of the source that raises them.

The library's own messages read `who: argument must <rule>, got <value>[; <remedy>]`; others have TensorFlow's words.
What is in braces only the call knows: `{{who}}` is the function or the optimizer, `{{…}}` a value. After an error
nothing has changed. The examples are the catalogues': `t.w`, `t.v` and `t.s` are Variables of shapes (5, 3), (4,)
and (), `t.a` is an array of shape (6,), `t.opt` an AdamOptimizer, and
`t.apply(pair)` applies good gradients and that pair.
"""

if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
