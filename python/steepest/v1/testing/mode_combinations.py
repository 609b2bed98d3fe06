"""``framework.combinations``: combinations of arguments that say in which modes their tests run."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager
from typing import Any

from ..graph.graph import Graph
from .argument_combinations import OptionalParameter, ParameterModifier, TestCombination
from .argument_combinations import generate as generate_by
from .test_modes import eager_mode, graph_mode

__all__ = ["EagerGraphCombination", "TFVersionCombination", "generate"]


class EagerGraphCombination(TestCombination):
    """Runs a test in the mode that ``mode`` names: "graph" or "eager". Raises ValueError for another name."""

    def context_managers(self, kwargs: dict[str, Any]) -> list[AbstractContextManager[Any]]:
        """Return the blocks of the mode, none where no mode is named."""
        mode = kwargs.get("mode")
        if mode not in (None, "eager", "graph"):
            raise ValueError(f"Argument 'mode' must be either 'eager' or 'graph'. Received: {mode}.")
        return [eager_mode()] if mode == "eager" else [Graph().as_default(), graph_mode()] if mode else []

    def parameter_modifiers(self) -> list[ParameterModifier]:
        """Return that tests need not take the mode."""
        return [OptionalParameter("mode")]


class TFVersionCombination(TestCombination):
    """Skips what is for the behaviour of TensorFlow 2: ``tf_api_version=2``."""

    def should_execute_combination(self, kwargs: dict[str, Any]) -> tuple[bool, str | None]:
        """Tell whether the version is not 2."""
        two = kwargs.get("tf_api_version") == 2
        return not two, "Skipping a TF2 test when TF2 is not enabled." if two else None

    def parameter_modifiers(self) -> list[ParameterModifier]:
        """Return that tests need not take the version."""
        return [OptionalParameter("tf_api_version")]


generate = functools.partial(generate_by, test_combinations=(EagerGraphCombination(), TFVersionCombination()))
