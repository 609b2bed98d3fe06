"""Some parameters out of all: given one by one, or by a function of the parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from ..base.errors import describe, must
from ..base.typing import Parameter
from ..ops.symbolic import Symbolic
from ..variables.sharded import Sharded
from ..variables.variable import Variable
from .parameters import identity_of

__all__ = ["Choice", "Chosen"]

Choice: TypeAlias = "Iterable[Parameter | Symbolic] | Callable[[Any], bool]"
"""A list of Variables and arrays, or a function of one that tells whether it is meant."""


class Chosen:
    """What a `Choice` is of.

    Raises:
        TypeError: for what is neither a list of Variables and arrays nor a function.
    """

    def __init__(self, who: str, name: str, choice: Choice) -> None:
        self.function = choice if callable(choice) and not isinstance(choice, Variable) else None
        self.members: list[Any] = []  # kept alive: an array is known by its memory
        if self.function is None:
            rule = "be a list of Variables and arrays, or a function of one"
            if not isinstance(choice, Iterable) or isinstance(choice, (np.ndarray, Variable, Sharded, str, bytes)):
                raise TypeError(must(who, name, rule, describe(choice), "write a list"))
            self.members = list(choice)
            for member in self.members:
                if not isinstance(member, (np.ndarray, Variable, Sharded, Symbolic)):
                    raise TypeError(must(who, name, rule, f"a list with {describe(member)}"))
        # A session holds a graph's variable under the name of its operation.
        self._names = {member.op.name for member in self.members if isinstance(member, Symbolic)}  # type: ignore[attr-defined]

    @property
    def identities(self) -> list[Any]:
        """What the members of a list are known by."""
        return [identity_of(member) for member in self.members]

    def __contains__(self, parameter: Any) -> bool:
        if self.function is not None:
            return bool(self.function(parameter))
        if self._names and getattr(parameter, "name", None) in self._names:
            return True
        return identity_of(parameter) in self.identities
