"""TensorFlow's ``tensorflow.python.compat.compat``: programs ask whether a change of TensorFlow is behind them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["forward_compatibility_horizon", "forward_compatible"]

_horizon: list[datetime.date] = []


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Tell whether a date lies before the horizon: before today, unless `forward_compatibility_horizon` says more."""
    horizon = _horizon[-1] if _horizon else datetime.datetime.now(tz=datetime.timezone.utc).date()
    return horizon > datetime.date(year, month, day)


@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Set the horizon inside ``with``."""
    _horizon.append(datetime.date(year, month, day))
    try:
        yield
    finally:
        _horizon.pop()
