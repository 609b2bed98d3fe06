"""Runs in parts: each part feeds and fetches some of what the run was set up with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import InvalidArgumentError
from .feeds import fed_tensor
from .fetches import Fetches
from .tensor_kind import Tensor as Result

__all__ = ["PartialRun"]


class PartialRun:
    """A run in parts: what it may feed and fetch, and the values that it has had so far.

    Source: what ``tf.Session.partial_run_setup`` returns.
    """

    def __init__(self, graph: Any, fetches: Any, feeds: Any) -> None:
        self._graph = graph
        self._open = list(dict.fromkeys(Fetches(graph, fetches).targets))
        if not self._open:
            raise InvalidArgumentError(None, None, "Must specify at least one target to fetch or execute.")
        self._fed = {graph.as_graph_element(feed, allow_operation=False): False for feed in feeds or ()}
        self._values: dict[Any, Any] = {}

    def run(self, session: Any, fetches: Any, feed_dict: Mapping[Any, Any] | None) -> Any:
        """Run a part: what was fed or fetched in earlier parts has the value that it had there.

        Raises InvalidArgumentError for what the run was not set up with, and for what has been fed or fetched.
        """
        for key, value in (feed_dict or {}).items():
            for tensor, part in fed_tensor(self._graph, key, value):
                self._feed(tensor)
                self._values[tensor] = part
        targets = Fetches(self._graph, fetches).targets
        for target in targets:
            if target not in self._open:
                done = (
                    "has already been fetched" if target in self._values else "was not specified in partial_run_setup"
                )
                raise InvalidArgumentError(None, None, f"The tensor {target.name} {done}.")
        values = session.run({"asked": fetches, "each": targets}, self._values)
        for target, value in zip(targets, values["each"], strict=True):
            if type(target) is Result:
                self._open.remove(target)
                self._values[target] = value
        return values["asked"]

    def _feed(self, tensor: Any) -> None:
        if self._fed.get(tensor, True):
            said = "has already been fed" if tensor in self._fed else "was not specified in partial_run_setup"
            raise InvalidArgumentError(None, None, f"The tensor {tensor.name} {said}.")
        self._fed[tensor] = True
