"""Decorators of what is deprecated warn once, and keep names, arguments and documents."""

from __future__ import annotations

import enum
from typing import Any

import pytest
from steepest.v1.python.framework import strict_mode
from steepest.v1.python.platform import tf_logging
from steepest.v1.python.util import decorator_utils, deprecation, tf_inspect


def scaled(x, factor=2):
    """Return x times a factor."""
    return x * factor


@pytest.fixture
def warnings(monkeypatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(tf_logging, "warning", lambda text, *values: found.append(text % values))
    return found


def test_deprecated_functions_warn_once(warnings):
    @deprecation.deprecated("2016-07-04", "Do another thing.")
    def old(x):
        """Return x.

        Args:
            x: a number.
        """
        return x

    assert [old(1), old(2)] == [1, 2]
    (text,) = warnings
    assert __file__ in text
    assert "is deprecated and will be removed after 2016-07-04.\nInstructions for updating:\nDo another thing." in text
    assert old.__doc__ == (
        "Return x. (deprecated)\n\nDeprecated: THIS FUNCTION IS DEPRECATED. It will be removed after 2016-07-04.\n"
        "Instructions for updating:\nDo another thing.\n\nArgs:\n    x: a number."
    )


def test_deprecated_arguments_and_values_warn(warnings):
    @deprecation.deprecated_args(None, "Leave it.", "old", ("other", None))
    def by_name(x, old=1, other=2):
        return x

    by_name(1), by_name(1, other=None)
    assert not warnings
    by_name(1, 2), by_name(1, old=3)
    assert len(warnings) == 1
    by_name(1, other=3)
    assert len(warnings) == 2

    @deprecation.deprecated_arg_values(None, "Leave it.", warn_once=False, keep=True)
    def by_value(x, keep=True):
        return x

    by_value(1, keep=False)
    assert len(warnings) == 2
    by_value(1), by_value(1, True)
    assert len(warnings) == 4
    with deprecation.silence():
        by_value(1)
    assert len(warnings) == 4


def test_deprecations_are_checked():
    with pytest.raises(ValueError, match="YYYY-MM-DD"):
        deprecation.deprecated("soon", "Do another thing.")
    with pytest.raises(ValueError, match="without conversion instructions"):
        deprecation.deprecated(None, "")
    with pytest.raises(ValueError, match="Specify which argument is deprecated"):
        deprecation.deprecated_args(None, "Leave it.")
    with pytest.raises(ValueError, match=r"not present in the function signature: \['missing'\]"):
        deprecation.deprecated_args(None, "Leave it.", "missing")(scaled)
    with pytest.raises(ValueError, match="is not a function"):
        decorator_utils.validate_callable(3, "test")

    @deprecation.deprecated_endpoints("old")
    def function():
        return 1

    assert function._tf_deprecated_api_names == ("old",)
    with pytest.raises(deprecation.DeprecatedNamesAlreadySet):
        deprecation.deprecated_endpoints("older")(function)


def test_deprecated_aliases_do_the_same(warnings):
    class Real:
        def __init__(self, value):
            self.value = value

    other = deprecation.deprecated_alias("old.name", "new.name", Real)
    assert isinstance(other(3), Real)
    assert other(4).value == 4
    assert deprecation.deprecated_alias("old.scaled", "new.scaled", scaled)(4) == 8
    first, second = warnings
    assert "old.name is deprecated. Please use new.name instead." in first
    assert "old.scaled" in second
    assert deprecation.rewrite_argument_docstring("`a`\n  a: one", "a", "b") == "`b`\n  b: one"


def test_deprecated_classes_stay_classes(warnings):
    @deprecation.deprecated(None, "Take another one.")
    class Old:
        """One."""

        def __init__(self, value):
            self.value = value

    @deprecation.deprecated(None, "Take another one.")
    class Text(str):
        def __new__(cls, value):
            return super().__new__(cls, value)

    @deprecation.deprecated(None, "Take another one.")
    class Kind(enum.Enum):
        first = 1

    class Below(Old):
        pass

    assert isinstance(Below(3), Old)
    assert Old(3).value == 3
    assert Text("a") == "a"
    assert Kind(1) is Kind.first
    assert [text.split(" (from")[0].rpartition(".")[2] for text in warnings] == ["Old", "Text", "Kind"]
    assert Old.__doc__.startswith("One. (deprecated)\n\nDeprecated: THIS FUNCTION IS DEPRECATED.")


def test_aliases_of_classes_have_their_signature():
    class Own:
        def __init__(self, first, *, second=2):
            pass

    alias = deprecation.deprecated_alias("old", "new", Own)
    assert tf_inspect.getfullargspec(alias.__init__) == tf_inspect.getfullargspec(Own.__init__)


def test_strict_mode_makes_warnings_errors(warnings, monkeypatch):
    monkeypatch.setattr(strict_mode, "STRICT_MODE", False)
    old = deprecation.deprecated(None, "Do another thing.")(lambda: 3)
    strict_mode.enable_strict_mode()
    with pytest.raises(RuntimeError, match="is deprecated and will be removed"):
        old()
    monkeypatch.setattr(strict_mode, "STRICT_MODE", False)
    assert old() == 3
