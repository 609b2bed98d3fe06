"""What is to hold of the values of flags: it is checked when a command line is read, and when a value is set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .flag_errors import ValidationError
from .flag_values import FLAGS, FlagValues
from .of_absl import of_absl

__all__ = [
    "adopt_module_key_flags",
    "declare_key_flag",
    "disclaim_key_flags",
    "mark_bool_flags_as_mutual_exclusive",
    "mark_flag_as_required",
    "mark_flags_as_mutual_exclusive",
    "mark_flags_as_required",
    "multi_flags_validator",
    "register_multi_flags_validator",
    "register_validator",
    "set_default",
    "validator",
]

_SAID = "Flag validation failed"


def _passes(check: Callable[[Any], Any], value: Any) -> tuple[bool, str]:
    """Return whether a checker accepts a value, and what it says where it raises ValidationError."""
    try:
        return bool(check(value)), ""
    except ValidationError as error:
        return False, str(error)


@of_absl
def register_multi_flags_validator(
    flag_names: Sequence[str],
    multi_flags_checker: Callable[[dict[str, Any]], Any],
    message: str = _SAID,
    flag_values: FlagValues = FLAGS,
) -> None:
    """Refuse values for which ``multi_flags_checker({name: value})`` is not true, or raises ValidationError."""
    flag_values._add_validator((tuple(flag_names), lambda values: _passes(multi_flags_checker, values), message))


@of_absl
def register_validator(
    flag_name: str, checker: Callable[[Any], Any], message: str = _SAID, flag_values: FlagValues = FLAGS
) -> None:
    """Refuse values for which ``checker(value)`` is not true, or raises ValidationError."""
    register_multi_flags_validator([flag_name], lambda values: checker(values[flag_name]), message, flag_values)


@of_absl
def validator(flag_name: str, message: str = _SAID, flag_values: FlagValues = FLAGS) -> Callable[[Any], Any]:
    """Decorate the function that `register_validator` is given."""

    def decorate(checker: Any) -> Any:
        register_validator(flag_name, checker, message, flag_values)
        return checker

    return decorate


@of_absl
def multi_flags_validator(
    flag_names: Sequence[str], message: str = _SAID, flag_values: FlagValues = FLAGS
) -> Callable[[Any], Any]:
    """Decorate the function that `register_multi_flags_validator` is given."""

    def decorate(checker: Any) -> Any:
        register_multi_flags_validator(flag_names, checker, message, flag_values)
        return checker

    return decorate


@of_absl
def mark_flag_as_required(flag_name: str, flag_values: FlagValues = FLAGS) -> None:
    """Refuse a command line that gives a flag no value."""
    said = f"Flag --{flag_name} must have a value other than None."
    register_validator(flag_name, lambda value: value is not None, said, flag_values)


@of_absl
def mark_flags_as_required(flag_names: Sequence[str], flag_values: FlagValues = FLAGS) -> None:
    """Refuse a command line that gives one of the flags no value."""
    for name in flag_names:
        mark_flag_as_required(name, flag_values)


@of_absl
def mark_flags_as_mutual_exclusive(
    flag_names: Sequence[str], required: bool = False, flag_values: FlagValues = FLAGS
) -> None:
    """Refuse values for two of the flags, with ``required`` also for none of them."""

    def check(values: dict[str, Any]) -> bool:
        return _one(sum(value is not None for value in values.values()), required)

    register_multi_flags_validator(flag_names, check, _only_one(flag_names, required, "value"), flag_values)


@of_absl
def mark_bool_flags_as_mutual_exclusive(
    flag_names: Sequence[str], required: bool = False, flag_values: FlagValues = FLAGS
) -> None:
    """Refuse that two of the flags are true, with ``required`` also that none is."""

    def check(values: dict[str, Any]) -> bool:
        return _one(sum(map(bool, values.values())), required)

    register_multi_flags_validator(flag_names, check, _only_one(flag_names, required, "True value"), flag_values)


def _one(count: int, required: bool) -> bool:
    return count == 1 or (not count and not required)


def _only_one(names: Sequence[str], required: bool, what: str) -> str:
    return f"{'Exactly' if required else 'At most'} one of ({', '.join(names)}) must have a {what}."


@of_absl
def set_default(flag_holder: Any, value: Any) -> None:
    """Give the flag of a definition another default."""
    flag_holder._values.set_default(flag_holder.name, value)


@of_absl
def declare_key_flag(flag_name: str, flag_values: FlagValues = FLAGS) -> None:
    """Say that a flag of another module matters to this one: absl's help shows it, this one shows all flags."""
    flag_values[flag_name]


@of_absl
def adopt_module_key_flags(module: Any, flag_values: FlagValues = FLAGS) -> None:
    """Say that the flags of a module matter to this one: absl's help shows them, this one shows all flags."""


@of_absl
def disclaim_key_flags() -> None:
    """Say that a module only defines flags for others: absl's help leaves them out, this one shows all flags."""
