"""TensorFlow's ``lock_util``: a lock that threads of one group hold together, and those of other groups wait for."""

from __future__ import annotations

import threading
from types import TracebackType

__all__ = ["GroupLock"]


class GroupLock:
    """A lock for groups, numbered from 0: while members of one group hold it, members of the others wait.

    Args:
        num_groups: how many groups there are.

    Raises:
        ValueError: for a number of groups below 1, and for a group that there is not.

    Source: ``lock_util.GroupLock``.
    """

    def __init__(self, num_groups: int = 2) -> None:
        if num_groups < 1:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        self._ready = threading.Condition(threading.Lock())
        self._group_member_counts = [0] * num_groups

    def group(self, group_id: int) -> _Held:
        """Return what holds the lock for a group inside ``with``."""
        self._check(group_id)
        return _Held(self, group_id)

    def acquire(self, group_id: int) -> None:
        """Wait until no other group holds the lock, and take it for this one."""
        self._check(group_id)
        counts = self._group_member_counts
        with self._ready:
            self._ready.wait_for(lambda: not any(count for k, count in enumerate(counts) if k != group_id))
            counts[group_id] += 1

    def release(self, group_id: int) -> None:
        """Give back what one member of a group holds."""
        self._check(group_id)
        with self._ready:
            self._group_member_counts[group_id] -= 1
            if not self._group_member_counts[group_id]:
                self._ready.notify_all()

    def _check(self, group_id: int) -> None:
        if not 0 <= group_id < len(self._group_member_counts):
            raise ValueError(f"group_id must be in [0, {len(self._group_member_counts)}), got {group_id}")


class _Held:
    def __init__(self, lock: GroupLock, group_id: int) -> None:
        self._lock, self._group_id = lock, group_id

    def __enter__(self) -> None:
        self._lock.acquire(self._group_id)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release(self._group_id)
