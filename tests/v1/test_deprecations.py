"""Decorators of what is deprecated warn once, and keep names, arguments and documents."""

from __future__ import annotations

from typing import Any

import pytest
from steepest.v1.python.platform import tf_logging
from steepest.v1.python.util import (
    decorator_utils,
    deprecation,
)


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
        "Return x. (deprecated)\n\nWarning: THIS FUNCTION IS DEPRECATED. It will be removed after 2016-07-04.\n"
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
