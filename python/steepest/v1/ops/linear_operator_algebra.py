"""What is made of one operator or of two: the rules are found by the operators' classes, the nearest first."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ..graph.scopes import name_scope

__all__ = [
    "RegisterAdjoint",
    "RegisterCholesky",
    "RegisterInverse",
    "RegisterMatmul",
    "RegisterSolve",
    "adjoint",
    "cholesky",
    "inverse",
    "matmul",
    "solve",
]

_Rule = Callable[..., Any]


class _Rules:
    """The rules of one word, by classes of operators."""

    def __init__(self, word: str) -> None:
        self.word = word
        self._rules: dict[tuple[type, ...], _Rule] = {}

    def add(self, classes: tuple[type, ...], rule: _Rule) -> None:
        if classes in self._rules:
            raise ValueError(f"{self.word}({', '.join(c.__name__ for c in classes)}) has already been registered.")
        self._rules[classes] = rule

    def find(self, *operators: Any) -> _Rule:
        """Return the rule whose classes are nearest to the operators' own. Raises NotImplementedError for none."""
        lines = [list(enumerate(type(each).__mro__)) for each in operators]
        ways = sorted(itertools.product(*lines), key=lambda way: sum(steps for steps, _ in way))
        for way in ways:
            rule = self._rules.get(tuple(cls for _, cls in way))
            if rule is not None:
                return rule
        names = ", ".join(str(type(each)) for each in operators)
        raise NotImplementedError(f"No {self.word} registered for {names}")


_ADJOINTS, _FACTORS, _INVERSES = _Rules("adjoint"), _Rules("cholesky"), _Rules("inverse")
_PRODUCTS, _SOLUTIONS = _Rules("matmul"), _Rules("solve")


def adjoint(lin_op_a: Any, name: str | None = None) -> Any:
    """Return the adjoint of an operator as an operator."""
    with name_scope(name, "Adjoint"):
        return _ADJOINTS.find(lin_op_a)(lin_op_a)


def cholesky(lin_op_a: Any, name: str | None = None) -> Any:
    """Return the lower triangular factor of an operator as an operator."""
    with name_scope(name, "Cholesky"):
        return _FACTORS.find(lin_op_a)(lin_op_a)


def inverse(lin_op_a: Any, name: str | None = None) -> Any:
    """Return the inverse of an operator as an operator."""
    with name_scope(name, "Inverse"):
        return _INVERSES.find(lin_op_a)(lin_op_a)


def matmul(lin_op_a: Any, lin_op_b: Any, name: str | None = None) -> Any:
    """Return the product of two operators as an operator."""
    with name_scope(name, "Matmul"):
        return _PRODUCTS.find(lin_op_a, lin_op_b)(lin_op_a, lin_op_b)


def solve(lin_op_a: Any, lin_op_b: Any, name: str | None = None) -> Any:
    """Return the inverse of one operator times another as an operator."""
    with name_scope(name, "Solve"):
        return _SOLUTIONS.find(lin_op_a, lin_op_b)(lin_op_a, lin_op_b)


class _Register:
    """Decorates the rule of classes of operators. Raises ValueError where they have one, TypeError for no function."""

    _rules: _Rules

    def __init__(self, *classes: type) -> None:
        self._classes = classes

    def __call__(self, rule: _Rule) -> _Rule:
        """Note the rule, and return it."""
        if not callable(rule):
            raise TypeError(f"must be callable, received: {rule}")
        self._rules.add(self._classes, rule)
        return rule


class RegisterAdjoint(_Register):
    """Decorates ``f(operator)``, which returns the adjoint."""

    _rules = _ADJOINTS


class RegisterCholesky(_Register):
    """Decorates ``f(operator)``, which returns the lower triangular factor."""

    _rules = _FACTORS


class RegisterInverse(_Register):
    """Decorates ``f(operator)``, which returns the inverse."""

    _rules = _INVERSES


class RegisterMatmul(_Register):
    """Decorates ``f(left, right)``, which returns the product of two classes of operators."""

    _rules = _PRODUCTS


class RegisterSolve(_Register):
    """Decorates ``f(left, right)``, which returns the inverse of the left operator times the right one."""

    _rules = _SOLUTIONS
