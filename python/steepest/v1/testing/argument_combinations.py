"""``framework.test_combinations``: tests that run once for each combination of their arguments."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import unittest
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import FunctionType
from typing import Any

__all__ = ["NamedObject", "OptionalParameter", "ParameterModifier", "TestCombination", "combine", "generate", "times"]


class TestCombination:
    """What a program says of the combinations of a test: which run, inside what, and which arguments the test gets.

    Source: ``tf.__internal__.test.combinations.TestCombination``.
    """

    __test__ = False  # pytest collects classes of this name

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        """Tell whether the test runs with these arguments, and else why not."""
        return True, None

    def parameter_modifiers(self) -> list[ParameterModifier]:
        """Return what changes arguments before the test has them."""
        return []

    def context_managers(self, kwargs: dict[str, Any]) -> list[AbstractContextManager[Any]]:
        """Return the blocks in which the test runs."""
        return []


class ParameterModifier:
    """Changes arguments before a test has them; those of one class and of one name are the same.

    Source: ``tf.__internal__.test.combinations.ParameterModifier``.
    """

    DO_NOT_PASS_TO_THE_TEST = object()

    def __init__(self, parameter_name: str | None = None) -> None:
        self._parameter_name = parameter_name

    def modified_arguments(self, kwargs: dict[str, Any], requested_parameters: Sequence[str]) -> dict[str, Any]:
        """Return arguments that take the place of given ones; `DO_NOT_PASS_TO_THE_TEST` takes one away."""
        return {}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), self._parameter_name))


class OptionalParameter(ParameterModifier):
    """An argument that the test need not take. Source: ``tf.__internal__.test.combinations.OptionalParameter``."""

    def modified_arguments(self, kwargs: dict[str, Any], requested_parameters: Sequence[str]) -> dict[str, Any]:
        """Return that the argument is taken away where the test does not take it."""
        name = str(self._parameter_name)
        return {} if name in requested_parameters else {name: self.DO_NOT_PASS_TO_THE_TEST}


class NamedObject:
    """An object with a name of its own in names of tests.

    Source: ``tf.__internal__.test.combinations.NamedObject``.
    """

    def __init__(self, name: str, obj: Any) -> None:
        self._name, self._obj = name, obj

    def __getattr__(self, name: str) -> Any:
        return getattr(self._obj, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._obj(*args, **kwargs)

    def __iter__(self) -> Any:
        return iter(self._obj)

    def __repr__(self) -> str:
        return self._name


def combine(**kwargs: Any) -> list[OrderedDict[str, Any]]:
    """Return every combination of what lists have; what is no list is the one value.

    Source: ``tf.__internal__.test.combinations.combine``.
    """
    keys = sorted(kwargs)
    lists = (kwargs[key] if isinstance(kwargs[key], list) else [kwargs[key]] for key in keys)
    return [OrderedDict(zip(keys, values, strict=True)) for values in itertools.product(*lists)]


def times(*combined: Iterable[OrderedDict[str, Any]]) -> list[OrderedDict[str, Any]]:
    """Return each of one set of combinations with each of the others. Raises ValueError for keys that come twice.

    Source: ``tf.__internal__.test.combinations.times``.
    """
    found = []
    for parts in itertools.product(*combined):
        made = OrderedDict(item for part in parts for item in part.items())
        if len(made) != sum(map(len, parts)):
            raise ValueError(f"Keys need to not overlap: {' vs '.join(str(list(part)) for part in parts)}")
        found.append(made)
    return found


def generate(
    combinations: Sequence[OrderedDict[str, Any]], test_combinations: Sequence[TestCombination] = ()
) -> Callable[[Any], Any]:
    """Return the decorator of a test, or of a class of tests, that has each run with each of ``combinations``.

    Source: ``tf.__internal__.test.combinations.generate``.
    """

    def decorate(tested: Any) -> Any:
        if not isinstance(tested, type):
            named = [OrderedDict(each, testcase_name=_suffix(each)) for each in combinations]
            test = _augmented(tested, test_combinations)
            return importlib.import_module("absl.testing.parameterized").named_parameters(*named)(test)
        for name, test in list(vars(tested).items()):
            if name.startswith(unittest.TestLoader.testMethodPrefix) and isinstance(test, FunctionType):
                delattr(tested, name)
                for each in combinations:
                    made = functools.partialmethod(_augmented(test, test_combinations), **each)
                    setattr(tested, f"{name}{_suffix(each)}", made.__get__(None, tested))
        return tested

    return decorate


def _suffix(combination: OrderedDict[str, Any]) -> str:
    parts = (f"_{_word(key)}_{_word(_named(value, k))}" for k, (key, value) in enumerate(combination.items()))
    return "_test" + "".join(parts)


def _word(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _named(value: Any, place: int) -> str:
    found = getattr(value, "_name", None) or getattr(value, "__name__", None) or str(value)
    return f"{place}" if "<" in str(found) and " at 0x" in str(found) else str(found)


def _augmented(test: Callable[..., None], test_combinations: Sequence[TestCombination]) -> Callable[..., None]:
    """Return a test that takes the arguments of a combination, as ``test_combinations`` say."""

    @functools.wraps(test)
    def run(self: Any, **kwargs: Any) -> None:
        told = [each.should_execute_combination(dict(kwargs)) for each in test_combinations]
        if reasons := [f" - {reason}" for runs, reason in told if not runs]:
            self.skipTest("\n".join(reasons))
        asked = inspect.getfullargspec(inspect.unwrap(test)).args[1:]
        given = dict(kwargs)
        for modifier in {modifier for each in test_combinations for modifier in each.parameter_modifiers()}:
            given.update(modifier.modified_arguments(dict(kwargs), asked))
        given = {k: v for k, v in given.items() if v is not ParameterModifier.DO_NOT_PASS_TO_THE_TEST}
        if absent := set(asked) - set(given):
            raise ValueError(f"The test requires parameters whose arguments were not passed: {absent} .")
        if unknown := set(given) - set(asked):
            raise ValueError(f"The test does not take parameters that were passed : {unknown} .")
        with ExitStack() as stack:
            for each in test_combinations:
                for block in each.context_managers(dict(kwargs)):
                    stack.enter_context(block)
            test(self, **given)

    del run.__wrapped__  # pytest would take the test's arguments for fixtures
    return run
