"""One flag: its default, its value, and what the command line makes of it."""

from __future__ import annotations

from typing import Any

from .flag_errors import IllegalFlagValueError, UnparsedFlagAccessError
from .flag_parsers import ArgumentParser

__all__ = ["AliasFlag", "Flag", "FlagHolder", "MultiFlag"]


class Flag:
    """A flag.

    Attributes:
        name, short_name, help: as it was defined.
        default, value: values, not texts.
        present: how often the command line has it.
        module: the name of the module that defines it.
    """

    def __init__(
        self,
        parser: ArgumentParser,
        name: str,
        default: Any,
        help: str,
        short_name: str | None = None,
        boolean: bool = False,
        module: str = "",
        allow_overwrite: bool = True,
        allow_hide_cpp: bool = False,
        allow_override: bool = False,
    ) -> None:
        self.parser, self.name, self.short_name, self.help = parser, name, short_name, help or "(no help available)"
        self.boolean, self.module = boolean, module
        self.allow_overwrite, self.allow_override, self.allow_hide_cpp = allow_overwrite, allow_override, allow_hide_cpp
        self.present, self.using_default_value = 0, True
        self.default = self.value = None if default is None else self._read(default)

    def _read(self, argument: Any) -> Any:
        try:
            return self.parser.parse(argument)
        except (TypeError, ValueError, OverflowError) as error:
            raise IllegalFlagValueError(f"flag --{self.name}={argument}: {error}") from None

    def parse(self, argument: Any) -> None:
        """Take the value that the command line gives. Raises IllegalFlagValueError for one that it cannot have."""
        if self.present and not self.allow_overwrite:
            raise IllegalFlagValueError(f"flag --{self.name}={argument}: already defined as {self.value}")
        self.value = self._read(argument)
        self.present += 1
        self.using_default_value = False

    def unparse(self) -> None:
        """Take the default again."""
        self.value, self.using_default_value, self.present = self.default, True, 0

    def set_default(self, value: Any) -> None:
        """Take another default, which is also the value where the command line gives none."""
        self.default = None if value is None else self._read(value)
        if self.using_default_value:
            self.value = self.default

    def flag_type(self) -> str:
        """Return what a value is called."""
        return self.parser.flag_type()

    def serialize(self) -> str:
        """Return how a command line says the value; nothing for None."""
        if self.value is None:
            return ""
        if self.boolean:
            return f"--{self.name}" if self.value else f"--no{self.name}"
        return f"--{self.name}={self.parser.serialize(self.value)}"

    def described(self) -> str:
        """Return the lines of the flag in a page of help."""
        short = f"-{self.short_name}," if self.short_name else ""
        line = f"  {short}--{'[no]' if self.boolean else ''}{self.name}: {self.help}"
        if self.default is not None:
            shown = str(self.default).lower() if self.boolean else repr(self.parser.serialize(self.default))
            line += f"\n    (default: {shown})"
        return line if not self.parser.syntactic_help else f"{line}\n    ({self.parser.syntactic_help})"


class MultiFlag(Flag):
    """A flag that may be given several times: a list of values."""

    def _read(self, argument: Any) -> Any:
        items = list(argument) if isinstance(argument, (list, tuple)) else [argument]
        return [Flag._read(self, item) for item in items]

    def parse(self, argument: Any) -> None:
        """Take one more value; the first one replaces the default."""
        more = self._read(argument)
        self.value = [*self.value, *more] if self.present and self.value is not None else more
        self.present += 1
        self.using_default_value = False

    def serialize(self) -> str:
        """Return a line for each value."""
        return "\n".join(f"--{self.name}={self.parser.serialize(each)}" for each in self.value or ())

    def described(self) -> str:
        """Return the lines of the flag in a page of help."""
        default = "" if self.default is None else f"\n    (default: {str(self.default)!r})"
        return f"  --{self.name}: {self.help};\n    repeat this option to specify a list of values{default}"


class AliasFlag(Flag):
    """Another name of a flag: what is given to either one is the value of both."""

    def __init__(self, name: str, of: Flag, module: str) -> None:
        self._of = of
        super().__init__(of.parser, name, None, f"Alias for --{of.name}.", boolean=of.boolean, module=module)

    @property
    def value(self) -> Any:
        """The value of the other flag."""
        return self._of.value

    @value.setter
    def value(self, value: Any) -> None:
        if value is not None:  # what a new flag is given
            self._of.value = value

    def parse(self, argument: Any) -> None:
        """Give the other flag its value."""
        self._of.parse(argument)
        self.present += 1

    def unparse(self) -> None:
        """Forget that it was given."""
        self.present = 0


class FlagHolder:
    """What a definition returns: the flag's value, without its name as a text."""

    def __init__(self, values: Any, flag: Flag) -> None:
        self._values, self._flag = values, flag

    def __eq__(self, other: object) -> bool:
        raise TypeError(
            f"unsupported operand type(s) for ==: 'FlagHolder' and '{type(other).__name__}' "
            "(did you mean to use 'FlagHolder.value' instead?)"
        )

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError(
            "bool() not supported for instances of type 'FlagHolder' (did you mean to use 'FlagHolder.value' instead?)"
        )

    @property
    def name(self) -> str:
        """The name of the flag."""
        return self._flag.name

    @property
    def value(self) -> Any:
        """The value; UnparsedFlagAccessError before the command line is read."""
        if not self._values.is_parsed():
            raise UnparsedFlagAccessError(f"Trying to access flag --{self.name} before flags were parsed.")
        return self._flag.value

    @property
    def default(self) -> Any:
        """The default."""
        return self._flag.default

    @property
    def present(self) -> bool:
        """Whether the command line has it."""
        return bool(self._flag.present)
