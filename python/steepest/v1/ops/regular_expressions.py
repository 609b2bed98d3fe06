"""Regular expressions of the library RE2, which TensorFlow takes, as those of Python."""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

from ..graph.errors import InvalidArgumentError

__all__ = ["compiled"]

_Ranges = list[tuple[int, int]]

_BROKEN = (0xD800, 0xDFFF)  # as which bytes that are no characters are decoded: no pattern matches them
_WORD: _Ranges = [(48, 57), (65, 90), (95, 95), (97, 122)]
_SHORT: dict[str, _Ranges] = {"d": [(48, 57)], "s": [(9, 10), (12, 13), (32, 32)], "w": _WORD}
_NAMED: dict[str, _Ranges] = {
    "alnum": [(48, 57), (65, 90), (97, 122)],
    "alpha": [(65, 90), (97, 122)],
    "ascii": [(0, 127)],
    "blank": [(9, 9), (32, 32)],
    "cntrl": [(0, 31), (127, 127)],
    "digit": [(48, 57)],
    "graph": [(33, 126)],
    "lower": [(97, 122)],
    "print": [(32, 126)],
    "punct": [(33, 47), (58, 64), (91, 96), (123, 126)],
    "space": [(9, 13), (32, 32)],
    "upper": [(65, 90)],
    "word": _WORD,
    "xdigit": [(48, 57), (65, 70), (97, 102)],
}
_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_COUNTS = re.compile(r"\{(\d+)(,(\d*))?\}")
_FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_GROUP = re.compile(r"\(\?P<(\w+)>")


@functools.cache
def compiled(pattern: bytes) -> re.Pattern[str]:
    """Return Python's expression for texts decoded with the errors ``"surrogateescape"``.

    Raises InvalidArgumentError for one that RE2 refuses, or that has ``\\C`` or the name of a script.
    """
    try:
        text = pattern.decode()
        return re.compile(_Translation(text).run())
    except (_Invalid, UnicodeDecodeError, re.error) as error:
        told = "invalid UTF-8" if isinstance(error, UnicodeDecodeError) else error
        shown = pattern.decode(errors="replace")
        raise InvalidArgumentError(None, None, f"Invalid pattern: {shown}, error: {told}") from None


class _Invalid(Exception):
    pass


class _Translation:
    """One walk over a pattern."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._out: list[str] = []
        self._flags = ""
        self._groups: list[tuple[str, list[str]]] = []  # the flags outside of each, and the scopes opened there
        self._scopes: list[str] = []
        self._repeats = 0  # where the last repetition began; what may be repeated is told by `_may`
        self._may = self._again = False

    def run(self) -> str:
        while self._at < len(self._text):
            self._step(self._text[self._at])
        if self._groups:
            raise _Invalid(f"missing ): {self._text}")
        return "".join(self._out) + ")" * len(self._scopes)

    def _step(self, char: str) -> None:
        if char in "*+?" or (char == "{" and _COUNTS.match(self._text, self._at)):
            self._repeat()
        elif char == "(":
            self._open()
        elif char in "|)":
            self._end(char)
        elif char == "\\":
            self._escape()
        else:
            self._at += 1
            lines = "m" in self._flags
            if char == "[":
                self._atom(self._class())
            elif char == ".":
                self._atom(_class_of([] if "s" in self._flags else [(10, 10)], True))
            elif char == "^":
                self._atom("(?m:^)" if lines else r"\A")
            elif char == "$":
                self._atom("(?m:$)" if lines else r"\Z")
            else:
                self._atom(re.escape(char))

    def _atom(self, text: str) -> None:
        self._out.append(text)
        self._may, self._again = True, False

    def _repeat(self) -> None:
        begin = self._at
        counts = _COUNTS.match(self._text, begin)
        sign = counts[0] if counts else self._text[begin]
        self._at += len(sign)
        lazy = self._text[self._at : self._at + 1] == "?"
        self._at += lazy
        if self._again:
            raise _Invalid(f"bad repetition operator: {self._text[self._repeats : self._at]}")
        if not self._may:
            raise _Invalid(f"no argument for repetition operator: {sign}")
        if counts:
            least, most = int(counts[1]), int(counts[3] or counts[1])
            if most < least or most > 1000:
                raise _Invalid(f"invalid repetition size: {sign}")
        self._out.append(sign + ("?" if lazy != ("U" in self._flags) else ""))
        self._repeats, self._again = begin, True

    def _open(self) -> None:
        named, flags = _GROUP.match(self._text, self._at), _FLAGS.match(self._text, self._at)
        self._may = self._again = False
        if flags:
            self._flag(flags)
        elif self._text.startswith("(?", self._at) and not named:
            raise _Invalid(f"invalid perl operator: {self._text[self._at : self._at + 3]}")
        else:
            self._at += len(named[0]) if named else 1
            self._enter(named[0] if named else "(")

    def _flag(self, flags: re.Match[str]) -> None:
        self._at = flags.end()
        before, off = self._flags, flags[2] or ""
        if flags[3] == ":":
            self._enter("(?:")
        self._flags = "".join(f for f in "imsU" if (f in before or f in flags[1]) and f not in off)
        if ("i" in before) != ("i" in self._flags):
            self._scopes.append("(?i:" if "i" in self._flags else "(?-i:")
            self._out.append(self._scopes[-1])

    def _enter(self, begin: str) -> None:
        self._out.append(begin)
        self._groups.append((self._flags, self._scopes))
        self._scopes = []

    def _end(self, char: str) -> None:
        self._at += 1
        if char == ")" and not self._groups:
            raise _Invalid(f"missing ): {self._text}")
        self._out.append(")" * len(self._scopes) + char)
        self._may = self._again = False
        if char == "|":
            self._out.extend(self._scopes)
            return
        self._flags, self._scopes = self._groups.pop()
        self._may = True

    def _escape(self) -> None:
        kind = self._text[self._at + 1 : self._at + 2]
        if kind == "Q":
            literal, _, _ = self._text[self._at + 2 :].partition(r"\E")
            self._at += 2 + len(literal) + (2 if self._text.startswith(r"\E", self._at + 2 + len(literal)) else 0)
            for char in literal:
                self._atom(re.escape(char))
        elif kind and kind in "AzbB":
            self._at += 2
            word = _class_of(_WORD, False)
            edge = rf"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
            self._atom({"A": r"\A", "z": r"\Z", "b": edge, "B": f"(?!{edge})"}[kind])
        else:
            found = self._set()
            self._atom(re.escape(chr(self._code())) if found is None else _class_of(found, False))

    def _set(self) -> _Ranges | None:
        """Return what a set that is said by a letter has, and go after it; None for anything else."""
        kind = self._text[self._at + 1 : self._at + 2]
        if kind and kind in "dDsSwW":
            self._at += 2
            return _SHORT[kind] if kind in _SHORT else _others(_SHORT[kind.lower()])
        if not kind or kind not in "pP":
            return None
        found = re.compile(r"\\[pP](?:\{(\^?)(\w+)\}|(\w))").match(self._text, self._at)
        ranges = _of_category(found[2] or found[3]) if found else []
        if not found or not ranges:
            raise _Invalid(f"invalid character class range: {found[0] if found else self._text[self._at :]}")
        self._at = found.end()
        return _others(ranges) if (kind == "P") != bool(found[1]) else ranges

    def _code(self) -> int:
        """Return the number of the character that an escape says, and go after it."""
        found = re.compile(r"\\(?:x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|([1-7][0-7]{1,2}|0[0-7]{0,2}))").match(
            self._text, self._at
        )
        if found:
            self._at = found.end()
            return int(found[3], 8) if found[3] else int(found[1] or found[2], 16)
        char = self._text[self._at + 1 : self._at + 2]
        if not char:
            raise _Invalid("trailing \\")
        if char in _CONTROL or (char < "\x80" and not char.isalnum()):
            self._at += 2
            return _CONTROL.get(char, ord(char))
        raise _Invalid(f"invalid escape sequence: \\{char}")

    def _class(self) -> str:
        begin, ranges = self._at - 1, _Ranges()
        negated = self._text.startswith("^", self._at)
        self._at += negated
        first = self._at
        while self._at == first or not self._text.startswith("]", self._at):
            if self._at >= len(self._text):
                raise _Invalid(f"missing ]: {self._text[begin:]}")
            ranges += self._part()
        self._at += 1
        return _class_of(ranges, negated)

    def _part(self) -> _Ranges:
        named = re.compile(r"\[:(\^?)(\w+):\]").match(self._text, self._at)
        if named:
            if named[2] not in _NAMED:
                raise _Invalid(f"invalid character class range: {named[0]}")
            self._at = named.end()
            return _others(_NAMED[named[2]]) if named[1] else _NAMED[named[2]]
        found = self._set() if self._text[self._at] == "\\" else None
        if found is not None:
            return found
        begin = self._at
        low = high = self._member()
        follows = self._text[self._at : self._at + 2]
        if len(follows) == 2 and follows[0] == "-" and follows[1] != "]":
            self._at += 1
            high = self._member()
            if high < low:
                raise _Invalid(f"invalid character class range: {self._text[begin : self._at]}")
        return [(low, high)]

    def _member(self) -> int:
        if self._text[self._at] == "\\":
            return self._code()
        self._at += 1
        return ord(self._text[self._at - 1])


def _class_of(ranges: _Ranges, negated: bool) -> str:
    shown = "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in [*ranges, *([_BROKEN] if negated else [])])
    return f"[{'^' if negated else ''}{shown}]" if shown else "(?!)"


def _others(ranges: _Ranges) -> _Ranges:
    """Return the characters that are not in ranges."""
    out, begin = [], 0
    for low, high in sorted([*ranges, _BROKEN]):
        if low > begin:
            out.append((begin, low - 1))
        begin = max(begin, high + 1)
    return [*out, (begin, sys.maxunicode)] if begin <= sys.maxunicode else out


@functools.cache
def _of_category(name: str) -> _Ranges:
    """Return the characters of one of Unicode's categories."""
    if name == "Any":
        return _others([])
    out: _Ranges = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)).startswith(name) and not _BROKEN[0] <= code <= _BROKEN[1]:
            if out and out[-1][1] == code - 1:
                out[-1] = (out[-1][0], code)
            else:
                out.append((code, code))
    return out
