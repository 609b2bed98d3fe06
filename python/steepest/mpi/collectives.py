"""What programs do together besides steps: begin with equal values, add up, collect, and print once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..base.errors import describe, must
from ..base.typing import Array, ArrayLike
from ..ops.dispatch import unwrap
from ..optim.updates import array_of
from ..variables.variable import Variable
from .meeting import meeting_of
from .naming import key_of
from .roster import value_of
from .tree import Node, Nodes
from .wire import raw

__all__ = ["allgather", "allreduce", "broadcast_variables", "is_root", "share", "together"]


def is_root(comm: Any = None) -> bool:
    """Tell whether this is rank 0, which prints and writes for all.

    Args:
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        ImportError: without a communicator where mpi4py is not installed.

    Example:
        >>> st.mpi.is_root(comm)  # comm has one rank here
        True
    """
    return meeting_of("is_root", comm).wire.rank == 0


def share(count: int, comm: Any = None) -> range:
    """Return this rank's part of ``range(count)``: consecutive, and of all ranks nearly as long as the others'.

    So micro-batches are dealt out in order, a rank loading those in ``share(count)``, ``micro_batches`` their number.

    Args:
        count: how many there are; at least 0.
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        ValueError: for a negative count.

    Example:
        >>> st.mpi.share(6, comm)
        range(0, 6)
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(must("share", "count", "be an integer of at least 0", describe(count)))
    wire = meeting_of("share", comm).wire
    return range(count * wire.rank // wire.size, count * (wire.rank + 1) // wire.size)


def broadcast_variables(variables: Iterable[Any], root: int = 0, comm: Any = None) -> None:
    """Give Variables and arrays on every rank the values that they have on one.

    Args:
        variables: on every rank as many, of the same shapes and types, in the same order.
        root: the rank whose values they are.
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        ValueError: for lists that differ, naming the first difference; for a root that is no rank. Nothing has changed.
        TypeError: for what is no Variable or array.
        RankError: where another rank has raised or has ended.

    Example:
        >>> w = st.Variable(np.ones(2))
        >>> st.mpi.broadcast_variables([w], comm=comm)
    """
    who = "broadcast_variables"
    meeting = meeting_of(who, comm)
    with together(comm):
        targets = list(variables)
        for target in targets:
            if not isinstance(target, (Variable, np.ndarray)):
                raise TypeError(must(who, "variables", "be Variables and arrays", describe(target)))
        if not 0 <= root < meeting.wire.size:
            raise ValueError(must(who, "root", f"be in [0, {meeting.wire.size})", root))
    about = [who, root, *(f"an array of shape {target.shape} and {target.dtype}" for target in targets)]
    meeting.meet(key_of(about), (), about)
    with meeting.inseparable():
        for target in targets:
            array = value_of(target)
            mine = raw(array) if meeting.wire.rank == root else np.empty(0, np.uint8)
            counts = [array.nbytes if rank == root else 0 for rank in range(meeting.wire.size)]
            come = meeting.wire.all_gather_parts(mine, counts).view(array.dtype).reshape(array.shape)
            if meeting.wire.rank != root:
                array[...] = come
                if isinstance(target, Variable):
                    target._changed()


def allreduce(value: ArrayLike, average: bool = True, comm: Any = None) -> Array:
    """Return the sum, or the mean, of the ranks' values, added in the fixed tree in which gradients are added.

    With one value for each micro-batch (`allgather` of lists, or one a rank) a mean of losses has the same bits however
    the micro-batches are dealt out.

    Args:
        value: a number or an array, of the same shape and type on all ranks; a list of arrays gives each micro-batch's.
        average: divide by the number of values.
        comm: an mpi4py communicator, by default all ranks.

    Returns:
        An array; of a float16 or bfloat16 value float32, of an integer's mean float64.

    Raises:
        ValueError: for shapes or types that differ between ranks.
        RankError: where another rank has raised or has ended.

    Example:
        >>> float(st.mpi.allreduce([1.0, 2.0, 6.0], comm=comm))  # the values of three micro-batches
        3.0
    """
    meeting = meeting_of("allreduce", comm)
    with together(comm):
        leaves = [np.asarray(unwrap(leaf)) for leaf in value] if isinstance(value, list) else [array_of(unwrap(value))]
        leaves = [leaf.astype(np.float32) if leaf.dtype.itemsize == 2 else leaf for leaf in leaves]
    meeting.meet(key_of(["allreduce"]), (), ["allreduce"])
    with meeting.inseparable():
        every = [leaf for of_rank in meeting.wire.all_objects(leaves) for leaf in of_rank]
    forms = sorted({f"{leaf.dtype} of shape {leaf.shape}" for leaf in every})
    if len(forms) != 1:
        got = " and ".join(forms) if forms else "none on any rank"
        raise ValueError(must("allreduce", "value", "have one shape and type on all ranks", got))
    nodes: Nodes[Array] = Nodes(lambda left, right: np.asarray(left + right))
    for position, leaf in enumerate(every):
        nodes.push(Node(0, position, leaf))
    total = nodes.total()
    assert total is not None
    if not average:
        return total
    return np.asarray(total / (total.dtype.type(len(every)) if total.dtype.kind == "f" else len(every)))


def allgather(value: ArrayLike, comm: Any = None) -> list[Array]:
    """Return the ranks' arrays, in the order of the ranks; shapes and types may differ.

    Args:
        value: a number or an array.
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        RankError: where another rank has raised or has ended.

    Example:
        >>> [float(loss) for loss in st.mpi.allgather(0.5, comm)]
        [0.5]
    """
    meeting = meeting_of("allgather", comm)
    with together(comm):
        array = array_of(unwrap(value))
    meeting.meet(key_of(["allgather"]), (), ["allgather"])
    with meeting.inseparable():
        return [np.asarray(each) for each in meeting.wire.all_objects(array)]


@contextmanager
def together(comm: Any = None) -> Iterator[None]:
    """Make every rank raise where one raises inside: the others at what they do together next.

    Ranks agree in each step of a `DistributedOptimizer` and in each function of this module. What may fail on one rank
    between two of these, such as reading a file, belongs inside.

    Args:
        comm: an mpi4py communicator, by default all ranks.

    Raises:
        RankError: on the other ranks.

    Example:
        >>> with st.mpi.together(comm):
        ...     batch = np.ones(3)
    """
    with meeting_of("together", comm).told():
        yield
