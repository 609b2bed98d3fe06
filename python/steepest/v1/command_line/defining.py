"""Flags are defined: of texts, numbers, lists and members of enums."""

from __future__ import annotations

import enum
import sys
from collections.abc import Sequence
from typing import Any

from .flag import AliasFlag, Flag, FlagHolder, MultiFlag
from .flag_parsers import (
    ArgumentParser,
    BooleanParser,
    EnumClassParser,
    EnumParser,
    FloatParser,
    IntegerParser,
    ListParser,
    WhitespaceSeparatedListParser,
)
from .flag_values import FLAGS, FlagValues
from .of_absl import of_absl
from .validators import mark_flag_as_required

__all__ = [
    "DEFINE",
    "DEFINE_alias",
    "DEFINE_bool",
    "DEFINE_boolean",
    "DEFINE_enum",
    "DEFINE_enum_class",
    "DEFINE_flag",
    "DEFINE_float",
    "DEFINE_integer",
    "DEFINE_list",
    "DEFINE_multi",
    "DEFINE_multi_enum",
    "DEFINE_multi_enum_class",
    "DEFINE_multi_float",
    "DEFINE_multi_integer",
    "DEFINE_multi_string",
    "DEFINE_spaceseplist",
    "DEFINE_string",
]


def _module() -> str:
    """Return the name of the module outside this package that is defining a flag."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("steepest.v1"):
        frame = frame.f_back
    name: str = frame.f_globals.get("__name__", "")
    return sys.argv[0] if name == "__main__" else name


@of_absl
def DEFINE_flag(flag: Flag, flag_values: FlagValues = FLAGS, module_name: str | None = None) -> FlagHolder:
    """Add a flag that a program has made; every other definition ends here."""
    flag.module = module_name or flag.module or _module()
    flag_values._add(flag)
    return FlagHolder(flag_values, flag)


def _with_serializer(parser: ArgumentParser, serializer: Any) -> ArgumentParser:
    """Return a parser whose values a serializer, where there is one, makes texts of again."""
    if serializer is not None:
        parser.serialize = serializer.serialize  # type: ignore[method-assign]  # as absl's flags have both apart
    return parser


def _defined(flag: Flag, flag_values: FlagValues, module_name: str | None, required: bool) -> FlagHolder:
    holder = DEFINE_flag(flag, flag_values, module_name)
    if required:
        mark_flag_as_required(flag.name, flag_values)
    return holder


@of_absl
def DEFINE(
    parser: ArgumentParser,
    name: str,
    default: Any,
    help: str,
    flag_values: FlagValues = FLAGS,
    serializer: Any = None,
    module_name: str | None = None,
    required: bool = False,
    **options: Any,
) -> FlagHolder:
    """Define a flag with a parser of a program's own. ``serializer`` may have a ``serialize`` in the parser's place."""
    flag = Flag(_with_serializer(parser, serializer), name, default, help, **options)
    return _defined(flag, flag_values, module_name, required)


@of_absl
def DEFINE_string(
    name: str, default: str | None, help: str, flag_values: FlagValues = FLAGS, **args: Any
) -> FlagHolder:
    """Define a flag whose value is text."""
    return DEFINE(ArgumentParser(), name, default, help, flag_values, **args)


@of_absl
def DEFINE_integer(
    name: str,
    default: int | None,
    help: str,
    lower_bound: int | None = None,
    upper_bound: int | None = None,
    flag_values: FlagValues = FLAGS,
    **args: Any,
) -> FlagHolder:
    """Define a flag whose value is an integer between two bounds."""
    return DEFINE(IntegerParser(lower_bound, upper_bound), name, default, help, flag_values, **args)


@of_absl
def DEFINE_float(
    name: str,
    default: float | None,
    help: str,
    lower_bound: float | None = None,
    upper_bound: float | None = None,
    flag_values: FlagValues = FLAGS,
    **args: Any,
) -> FlagHolder:
    """Define a flag whose value is a number between two bounds."""
    return DEFINE(FloatParser(lower_bound, upper_bound), name, default, help, flag_values, **args)


@of_absl
def DEFINE_boolean(
    name: str, default: Any, help: str, flag_values: FlagValues = FLAGS, module_name: str | None = None, **args: Any
) -> FlagHolder:
    """Define a flag that is true or false: ``--name``, ``--name=false`` or ``--noname``."""
    return DEFINE(BooleanParser(), name, default, help, flag_values, module_name=module_name, boolean=True, **args)


DEFINE_bool = DEFINE_boolean


@of_absl
def DEFINE_enum(
    name: str,
    default: str | None,
    enum_values: Sequence[str],
    help: str,
    flag_values: FlagValues = FLAGS,
    module_name: str | None = None,
    case_sensitive: bool = True,
    **args: Any,
) -> FlagHolder:
    """Define a flag whose value is one of several texts."""
    parser = EnumParser(enum_values, case_sensitive)
    return DEFINE(parser, name, default, help, flag_values, module_name=module_name, **args)


@of_absl
def DEFINE_enum_class(
    name: str,
    default: Any,
    enum_class: type[enum.Enum],
    help: str,
    flag_values: FlagValues = FLAGS,
    module_name: str | None = None,
    case_sensitive: bool = False,
    **args: Any,
) -> FlagHolder:
    """Define a flag whose value is a member of an `enum.Enum`."""
    parser = EnumClassParser(enum_class, case_sensitive)
    return DEFINE(parser, name, default, help, flag_values, module_name=module_name, **args)


@of_absl
def DEFINE_list(name: str, default: Any, help: str, flag_values: FlagValues = FLAGS, **args: Any) -> FlagHolder:
    """Define a flag whose value is a list, separated by commas."""
    return DEFINE(ListParser(), name, default, help, flag_values, **args)


@of_absl
def DEFINE_spaceseplist(
    name: str, default: Any, help: str, comma_compat: bool = False, flag_values: FlagValues = FLAGS, **args: Any
) -> FlagHolder:
    """Define a flag whose value is a list, separated by white space."""
    return DEFINE(WhitespaceSeparatedListParser(comma_compat), name, default, help, flag_values, **args)


@of_absl
def DEFINE_multi(
    parser: ArgumentParser,
    serializer: Any,
    name: str,
    default: Any,
    help: str,
    flag_values: FlagValues = FLAGS,
    module_name: str | None = None,
    required: bool = False,
    **options: Any,
) -> FlagHolder:
    """Define a flag that may be given several times, with a parser of each value."""
    flag = MultiFlag(_with_serializer(parser, serializer), name, default, help, **options)
    return _defined(flag, flag_values, module_name, required)


@of_absl
def DEFINE_multi_string(name: str, default: Any, help: str, flag_values: FlagValues = FLAGS, **args: Any) -> FlagHolder:
    """Define a flag that may be given several times: a list of texts."""
    return DEFINE_multi(ArgumentParser(), None, name, default, help, flag_values, **args)


@of_absl
def DEFINE_multi_integer(
    name: str,
    default: Any,
    help: str,
    lower_bound: int | None = None,
    upper_bound: int | None = None,
    flag_values: FlagValues = FLAGS,
    **args: Any,
) -> FlagHolder:
    """Define a flag that may be given several times: a list of integers."""
    return DEFINE_multi(IntegerParser(lower_bound, upper_bound), None, name, default, help, flag_values, **args)


@of_absl
def DEFINE_multi_float(
    name: str,
    default: Any,
    help: str,
    lower_bound: float | None = None,
    upper_bound: float | None = None,
    flag_values: FlagValues = FLAGS,
    **args: Any,
) -> FlagHolder:
    """Define a flag that may be given several times: a list of numbers."""
    return DEFINE_multi(FloatParser(lower_bound, upper_bound), None, name, default, help, flag_values, **args)


@of_absl
def DEFINE_multi_enum(
    name: str,
    default: Any,
    enum_values: Sequence[str],
    help: str,
    flag_values: FlagValues = FLAGS,
    case_sensitive: bool = True,
    **args: Any,
) -> FlagHolder:
    """Define a flag that may be given several times, with one of several texts each time."""
    return DEFINE_multi(EnumParser(enum_values, case_sensitive), None, name, default, help, flag_values, **args)


@of_absl
def DEFINE_multi_enum_class(
    name: str,
    default: Any,
    enum_class: type[enum.Enum],
    help: str,
    flag_values: FlagValues = FLAGS,
    module_name: str | None = None,
    case_sensitive: bool = False,
    **args: Any,
) -> FlagHolder:
    """Define a flag that may be given several times, with a member of an `enum.Enum` each time."""
    parser = EnumClassParser(enum_class, case_sensitive)
    return DEFINE_multi(parser, None, name, default, help, flag_values, module_name, **args)


@of_absl
def DEFINE_alias(
    name: str, original_name: str, flag_values: FlagValues = FLAGS, module_name: str | None = None
) -> FlagHolder:
    """Define another name of a flag."""
    return DEFINE_flag(AliasFlag(name, flag_values[original_name], module_name or _module()), flag_values)
