"""Locks in a process that forks: a child must not wait for a thread that it does not have."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

__all__ = ["let_go", "lock_across_forks", "renew_lock_in_children", "with_locks"]

_attributes: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


def lock_across_forks() -> Any:
    """Return a lock that a fork waits for, so that what it guards is whole in the child. Meant for short work."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


def renew_lock_in_children(owner: Any, attribute: str) -> None:
    """Give an owner its lock anew, free, in the child of a fork: the thread that held it is not there."""
    _attributes[owner] = attribute


def with_locks(locks: Sequence[AbstractContextManager[Any]], work: Callable[[], None]) -> None:
    """Do work with all locks held. An ExitStack would keep one for ever where an interrupt comes as it takes it."""
    if not locks:
        work()
        return
    with locks[0]:
        with_locks(locks[1:], work)


@contextmanager
def let_go(lock: Any) -> Iterator[None]:
    """Let other threads have an RLock meanwhile, however often this thread has taken it; nothing where it has not."""
    if not lock._is_owned():
        yield
        return
    depth = lock._release_save()  # as threading.Condition does
    try:
        yield
    finally:
        lock._acquire_restore(depth)


def _renew() -> None:
    for owner, attribute in list(_attributes.items()):
        setattr(owner, attribute, threading.RLock())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
