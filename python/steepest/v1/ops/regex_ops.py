"""Texts that match regular expressions: told, and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.build import call
from ..graph.run_values import array_of
from ..graph.shapes import bracketed
from .regular_expressions import compiled
from .string_ops import as_bytes

__all__ = ["regex_full_match", "regex_replace"]


def regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None) -> Any:
    r"""Return strings in which what matches a pattern is replaced; ``\1`` stands for the first group, ``\0`` for all.

    Patterns are those of RE2, without ``\C`` and the names of scripts.
    InvalidArgumentError, when a session runs, for one that is none.
    """

    def replaced(expression: re.Pattern[str], given: str) -> Callable[[str], Any]:
        groups = [int(group) for group in re.findall(r"\\(\d)", given)]
        if max(groups, default=0) > expression.groups:  # TensorFlow logs such a rewriting, and leaves the text
            return lambda text: text
        return lambda text: _rewritten(text, expression, given, replace_global)

    return _matching("RegexReplace", replaced, input, (pattern, rewrite), name, "string")


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Any:
    """Tell which strings a pattern matches from their beginning to their end. Patterns are as `regex_replace` says."""

    def told(expression: re.Pattern[str]) -> Callable[[str], Any]:
        return lambda text: expression.fullmatch(text) is not None

    return _matching("RegexFullMatch", told, input, (pattern,), name, "bool")


def _matching(op_type: str, function: Any, input: Any, settings: Any, name: Any, dtype: str) -> Any:
    static = all(isinstance(setting, (str, bytes)) for setting in settings)
    options: Any = {"name": name, "shape": _first, "dtype": dtype, "same": False, "differentiable": False}

    def of_arrays(x: Any, *given: Any) -> Any:
        for what, setting in zip(("Pattern", "Rewrite"), given, strict=False):
            if array_of(setting).ndim:
                raise ValueError(f"{what} must be scalar, but received {bracketed(array_of(setting).shape)}")
        pattern, *others = (as_bytes(array_of(setting).item()) for setting in given)
        of_text = function(compiled(pattern), *map(_decoded, others))
        strings = array_of(x)
        out = np.empty(strings.size, bool if dtype == "bool" else object)
        found = [of_text(_decoded(as_bytes(text))) for text in strings.reshape(-1).tolist()]
        out[:] = found if dtype == "bool" else [text.encode(errors="surrogateescape") for text in found]
        return out.reshape(strings.shape)

    if static:
        given = [np.array(as_bytes(setting), object) for setting in settings]
        return call(f"Static{op_type}", lambda x: of_arrays(x, *given), (input,), **options)
    return call(op_type, of_arrays, (input, *settings), **options)


def _first(shape: Any, *_: Any) -> Any:
    return shape


def _decoded(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


def _rewritten(text: str, expression: re.Pattern[str], given: str, everywhere: bool) -> str:
    out, end, last = [], 0, -1
    for match in expression.finditer(text):
        if match.end() == match.start() == last:
            continue  # an empty match right after another is none
        new, whole = _expanded(match, given)
        if not (everywhere or whole):
            return text
        out += [text[end : match.start()], new]
        end = last = match.end()
        if not everywhere:
            break
    return "".join([*out, text[end:]])


def _expanded(match: re.Match[str], given: str) -> tuple[str, bool]:
    r"""Return what stands for a match, and whether that is all: it ends at a ``\`` before no digit or ``\``."""
    out, at = "", 0
    while at < len(given):
        if given[at] != "\\":
            out += given[at]
            at += 1
            continue
        kind = given[at + 1 : at + 2]
        if kind != "\\" and not (kind.isascii() and kind.isdigit()):
            return out, False
        out += kind if kind == "\\" else match[int(kind)] or ""
        at += 2
    return out, True
