"""What stands for a session in tests of eager mode: tests written for both modes run it too."""

from __future__ import annotations

from typing import Any

__all__ = ["EagerRuns"]


class EagerRuns:
    """Has ``run``, which gives the values of eager tensors. Source: ``test_util.FakeEagerSession``."""

    def __init__(self, test_case: Any) -> None:
        self._test_case = test_case

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the values of tensors and nests of them. ValueError for values that are to be fed."""
        feeds = kwargs.pop("feed_dict", None) or (args[0] if args else None)
        if feeds:
            raise ValueError(f"there is nothing to feed in eager mode, got {feeds!r:.80}")
        return self._test_case.evaluate(fetches)
