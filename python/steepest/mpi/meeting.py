"""Where ranks agree before anything is written: each says that it is well and some numbers, and all know all of them.

A rank that has raised says so, and every rank raises. A rank that ends says so too, at its exit, so that nobody waits
for it: the exchange is one nonblocking gather, which every rank enters once for each meeting.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import must
from ..base.typing import Array
from .naming import key_of
from .wire import Wire, communicator

__all__ = ["DIED", "HEAD", "LEFT", "Meeting", "RankError", "first_difference", "meeting_of", "text_of"]

WELL, FAILED, LEFT, DIED = range(4)
HEAD = 64  # integers that one gather carries: the state, a key, a count, a flag, the services, and so many numbers
_FIRST = 5
_ROOM = HEAD - _FIRST


class RankError(RuntimeError):
    """Raised on every other rank where one has raised or has ended; the message has that rank's traceback.

    Example:
        >>> issubclass(st.mpi.RankError, RuntimeError)
        True
    """


class Meeting:
    """The meetings of the ranks of one communicator; all that ranks do together begins with one.

    Args:
        wire: to the other ranks; no one else may use its communicator.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.ended: str | None = None  # why no more meetings can be
        self._services: dict[int, Callable[[], None]] = {}
        self._served = 0  # a number for all services, in their order
        self._told: BaseException | None = None  # the last error of a meeting: every rank has raised then

    def offer(self, things: Sequence[Any], serve: Callable[[], None]) -> int:
        """Return the key of something that ranks may do while others wait, who take part in it by ``serve``.

        Every rank must offer it, in the same order.
        """
        key = key_of([*things, len(self._services)])
        self._services[key] = serve
        self._served = key_of([self._served, key])
        return key

    def meet(
        self,
        key: int,
        numbers: Sequence[int],
        about: Sequence[Any],
        error: BaseException | None = None,
        waits: bool = False,
    ) -> Array:
        """Return the numbers of all ranks, a row for each.

        Args:
            key: what this rank is about to do, below 2**63.
            numbers: as many on each rank with that key.
            about: the same in words, as a list whose first difference tells why keys differ.
            error: what keeps this rank from doing it.
            waits: whether this rank serves others until they have come here, too.

        Raises:
            BaseException: this rank's own error.
            RankError: where another rank has one, or has ended.
            ValueError: where ranks are about to do different things.
        """
        try:
            return self._meet(key, numbers, about, error, waits)
        except BaseException as raised:
            self._told = raised
            raise

    def _meet(
        self, key: int, numbers: Sequence[int], about: Sequence[Any], error: BaseException | None, waits: bool
    ) -> Array:
        if self.ended is not None:
            raise error or RankError(self.ended)
        if self.wire.size == 1:
            if error is not None:
                raise error
            return np.array([numbers], np.int64).reshape(1, -1)
        while True:
            heads = self._gather(WELL if error is None else FAILED, key, numbers, waits)
            if heads[:, 0].any():
                self._raise(heads[:, 0], error)
            asked = self._asked(heads)
            if asked is None or not waits:
                break
            with self.inseparable():
                asked()
        if asked is None and (heads[:, 1:3] != heads[0, 1:3]).any():
            found = first_difference(self.wire.all_objects(list(about)))
            raise ValueError(must("steepest.mpi", "program", "be the same on all ranks", str(found)))
        if len(numbers) > _ROOM:
            return self.wire.all_gather(np.array(numbers, np.int64))
        table: Array = heads[:, _FIRST : _FIRST + len(numbers)]
        return table

    def _asked(self, heads: Array) -> Callable[[], None] | None:
        """Return the service that some ranks are about to use while all others wait, None where it is not so."""
        asking = heads[heads[:, 3] == 0]
        if len(asking) in (0, len(heads)) or (heads[:, 4] != heads[0, 4]).any():
            return None
        return self._services.get(int(asking[0, 1])) if (asking[:, 1] == asking[0, 1]).all() else None

    def fail(self, error: BaseException) -> Any:
        """Raise ``error`` here, and `RankError` on the ranks that are about to do something together."""
        if error is not self._told:  # else the others know
            self.meet(0, (), (), error)
        raise error

    @contextmanager
    def told(self) -> Iterator[None]:
        """Raise an error that comes inside on every rank: on the others at what they do together next."""
        try:
            yield
        except Exception as error:
            self.fail(error)

    @contextmanager
    def inseparable(self) -> Iterator[None]:
        """End the whole job where an error comes inside, in the midst of an exchange: no rank could go on alone."""
        try:
            yield
        except BaseException as error:
            abort = getattr(self.wire.comm, "Abort", None)
            if self.wire.size > 1 and abort is not None:
                print(f"steepest.mpi: rank {self.wire.rank} fails in an exchange, the job ends", file=sys.stderr)
                print(text_of(error), file=sys.stderr, flush=True)
                abort(1)
            raise

    def _gather(self, state: int, key: int, numbers: Sequence[int], waits: bool) -> Array:
        head = np.zeros(HEAD, np.int64)
        head[:_FIRST] = state, key, len(numbers), waits, self._served
        if len(numbers) <= _ROOM:
            head[_FIRST : _FIRST + len(numbers)] = numbers
        return self.wire.all_gather(head)

    def _raise(self, states: Array, error: BaseException | None) -> None:
        if not np.isin(states, (FAILED, DIED)).any():
            gone = ", ".join(str(rank) for rank in np.flatnonzero(states == LEFT))
            left = RankError(must("steepest.mpi", "every rank", "take part in every step", f"an end of rank {gone}"))
            self.ended = str(left)
            raise error or left
        texts = self.wire.all_objects(None if error is None else text_of(error))
        rank, text = next((rank, text) for rank, text in enumerate(texts) if text is not None)
        message = f"steepest.mpi: rank {rank} has raised:\n{text}"
        if (states >= LEFT).any():
            self.ended = message
        raise error or RankError(message)


def text_of(error: BaseException) -> str:
    """Return an error's traceback as text."""
    return "".join(traceback.format_exception(type(error), error, error.__traceback__)).rstrip()


def first_difference(lists: Sequence[Sequence[Any]]) -> str | None:
    """Return in which entry the ranks' lists differ first, None where they are all the same."""
    for k in range(max(map(len, lists))):
        shown = [str(each[k]) if k < len(each) else "nothing more" for each in lists]
        for rank, text in enumerate(shown):
            if text != shown[0]:
                return f"{text} on rank {rank}, where rank 0 has {shown[0]}"
    return None


_meetings: dict[Any, tuple[Any, Meeting]] = {}  # by communicator, which is kept alive
_watch: list[Callable[[Meeting], None]] = []  # told of each new meeting of processes


def meeting_of(who: str, comm: Any) -> Meeting:
    """Return the meeting of a communicator's ranks; they all must ask for it, and share one however often they ask.

    Raises:
        ImportError: where no communicator is given and mpi4py is not installed.
        TypeError: for what has not mpi4py's methods.
    """
    comm = communicator(who, comm)
    key = ("handle", comm.py2f()) if hasattr(comm, "py2f") else ("object", id(comm))
    if key not in _meetings:
        _meetings[key] = comm, Meeting(Wire(comm.Dup() if hasattr(comm, "Dup") else comm))
        if hasattr(comm, "Iallgather") and comm.Get_size() > 1:
            for told in _watch:
                told(_meetings[key][1])
    return _meetings[key][1]
