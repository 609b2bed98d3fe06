"""How the text of a flag becomes its value, and its value a text again."""

from __future__ import annotations

import csv
import enum
import io
from collections.abc import Sequence
from typing import Any

__all__ = [
    "ArgumentParser",
    "BooleanParser",
    "EnumClassParser",
    "EnumParser",
    "FloatParser",
    "IntegerParser",
    "ListParser",
    "WhitespaceSeparatedListParser",
]


class ArgumentParser:
    """A flag whose value is its text. A program's own parsers are made of this class."""

    syntactic_help = ""

    def parse(self, argument: Any) -> Any:
        """Return the value for a text, or for a value of Python's; TypeError or ValueError for what is none."""
        if not isinstance(argument, str):
            raise TypeError(f"flag value must be a string, found {type(argument)}")
        return argument

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "string"

    def serialize(self, value: Any) -> str:
        """Return the text that would be read as the value."""
        return str(value)


class _NumericParser(ArgumentParser):
    number_name, article = "number", "a"

    def __init__(self, lower_bound: float | None = None, upper_bound: float | None = None) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        self.syntactic_help = self._said()

    def _said(self) -> str:
        low, high, name = self.lower_bound, self.upper_bound, self.number_name
        if low is not None and high is not None:
            return f"{self.article} {name} in the range [{low}, {high}]"
        signs: dict[Any, str] = {
            (1, None): "positive",
            (None, -1): "negative",
            (0, None): "non-negative",
            (None, 0): "non-positive",
        }
        if (low, high) in signs:
            return f"a {signs[low, high]} {name}"
        if high is not None:
            return f"{name} <= {high}"
        return f"{self.article} {name}" if low is None else f"{name} >= {low}"

    def convert(self, argument: Any) -> Any:
        """Return the number of a text, or a number of Python's."""
        if isinstance(argument, (str, int, float)) and not isinstance(argument, bool):
            return float(argument)
        raise TypeError(f"Expect argument to be a string, int, or float, found {type(argument)}")

    def parse(self, argument: Any) -> Any:
        """Return the number, where it is within the bounds."""
        value = self.convert(argument)
        low, high = self.lower_bound, self.upper_bound
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueError(f"{value} is not {self.syntactic_help}")
        return value


class FloatParser(_NumericParser):
    """A flag whose value is a number, between two bounds where these are given."""

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "float"


class IntegerParser(_NumericParser):
    """A flag whose value is a whole number, between two bounds where these are given; ``0x`` and ``0o`` are known."""

    number_name, article = "integer", "an"

    def convert(self, argument: Any) -> Any:
        """Return the whole number of a text, or one of Python's."""
        if isinstance(argument, int) and not isinstance(argument, bool):
            return argument
        if not isinstance(argument, str):
            raise TypeError(f"Expect argument to be a string or int, found {type(argument)}")
        base = {"0o": 8, "0x": 16}.get(argument[:2], 10)
        return int(argument, base)

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "int"


class BooleanParser(ArgumentParser):
    """A flag that is true or false."""

    def parse(self, argument: Any) -> bool:
        """Return whether a text, or a number that is 0 or 1, says yes."""
        known = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False, 1: True, 0: False}
        key = argument.lower() if isinstance(argument, str) else argument
        if not isinstance(key, (str, int, float)):
            raise TypeError("Non-boolean argument to boolean flag", argument)
        if key not in known:
            raise ValueError("Non-boolean argument to boolean flag", argument)
        return known[key]

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "bool"


class EnumParser(ArgumentParser):
    """A flag whose value is one of several texts."""

    def __init__(self, enum_values: Sequence[str], case_sensitive: bool = True) -> None:
        if not enum_values:
            raise ValueError(f"enum_values cannot be empty, found {enum_values!r}")
        self.enum_values, self.case_sensitive = list(enum_values), case_sensitive

    def parse(self, argument: Any) -> str:
        """Return the text as it was defined; ValueError for another."""
        for value in self.enum_values:
            if argument == value or (not self.case_sensitive and str(argument).upper() == value.upper()):
                return value
        raise ValueError(f"value should be one of <{'|'.join(self.enum_values)}>")

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "string enum"


class EnumClassParser(ArgumentParser):
    """A flag whose value is a member of an `enum.Enum`, by its name."""

    def __init__(self, enum_class: type[enum.Enum], case_sensitive: bool = True) -> None:
        if not issubclass(enum_class, enum.Enum):
            raise TypeError(f"{enum_class} is not a subclass of Enum.")
        if not enum_class.__members__:
            raise ValueError(f"enum_class cannot be empty, but {enum_class!r} is empty.")
        self.enum_class, self.case_sensitive = enum_class, case_sensitive

    def parse(self, argument: Any) -> Any:
        """Return the member; ValueError for a name that none has."""
        if isinstance(argument, self.enum_class):
            return argument
        for name, member in self.enum_class.__members__.items():
            if argument == name or (not self.case_sensitive and str(argument).lower() == name.lower()):
                return member
        names = [name if self.case_sensitive else name.lower() for name in self.enum_class.__members__]
        raise ValueError(f"value should be one of <{'|'.join(names)}>")

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "enum class"

    def serialize(self, value: Any) -> str:
        """Return the name of a member."""
        return str(value.name).lower()


class ListParser(ArgumentParser):
    """A flag whose value is a list of texts, separated by commas as in a line of CSV."""

    def parse(self, argument: Any) -> list[str]:
        """Return the texts without the white space around them."""
        if isinstance(argument, (list, tuple)):
            return list(argument)
        if not argument:
            return []
        try:
            (row,) = csv.reader([argument], strict=True)
        except csv.Error as error:
            raise ValueError(f"Unable to parse the value {argument!r} as a list: {error}") from None
        return [text.strip() for text in row]

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "comma separated list of strings"

    def serialize(self, value: Any) -> str:
        """Return the line of CSV."""
        line = io.StringIO()
        csv.writer(line).writerow([str(each) for each in value])
        return line.getvalue().strip()


class WhitespaceSeparatedListParser(ListParser):
    """A flag whose value is a list of texts, separated by white space; also by commas with ``comma_compat``."""

    def __init__(self, comma_compat: bool = False) -> None:
        self._comma_compat = comma_compat

    def parse(self, argument: Any) -> list[str]:
        """Return the texts."""
        if isinstance(argument, (list, tuple)):
            return list(argument)
        text = str(argument or "")
        return (text.replace(",", " ") if self._comma_compat else text).split()

    def flag_type(self) -> str:
        """Return what a value is called."""
        return "whitespace separated list of strings"

    def serialize(self, value: Any) -> str:
        """Return the texts with spaces between them."""
        return " ".join(map(str, value))
