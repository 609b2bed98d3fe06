"""Frames: parts of a graph that ``Enter`` begins and ``Exit`` ends, and that run anew while ``NextIteration`` is alive.

``tf.while_loop`` makes none of them (it has branches); programs that build loops of these operations themselves do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .dead_values import DEAD
from .errors import InvalidArgumentError
from .node import Operation, Tensor
from .plan_steps import ReadyStep, follow
from .run_limits import check_time, end_of_run

__all__ = ["ENTERS", "EXITS", "NEXTS", "Frame", "FrameSteps", "frames_of"]

ENTERS = frozenset({"Enter", "RefEnter"})
EXITS = frozenset({"Exit", "RefExit"})
NEXTS = frozenset({"NextIteration", "RefNextIteration"})


class Frame:
    """The operations of one frame; for a plan it stands in their place like an operation.

    Its ``Enter`` and ``Exit`` operations are among its members; frames inside it are not, but stand for theirs.
    """

    type = "Frame"
    contextual = False
    function = branch = None

    def __init__(self, name: str, outer: Frame | None) -> None:
        self.name, self.outer = name, outer
        self.members: set[Any] = set()
        self.number, self.writes = -1, False
        self.operands: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.control_inputs: list[Operation] = []
        self._attributes: dict[str, Any] = {}

    def add(self, op: Operation) -> None:
        """Take an operation in."""
        frame: Frame | None = self
        while frame is not None:
            frame.number = op.number if frame.number < 0 else min(frame.number, op.number)
            frame.writes = frame.writes or op.writes
            frame = frame.outer
        self.members.add(op)

    def holds(self, op: Any) -> bool:
        """Tell whether an operation, or a frame, belongs to this frame, and not to one inside it."""
        return op.outer is self if isinstance(op, Frame) else op in self.members

    def ends(self) -> list[Any]:
        """Return what makes everything in it run that a run needs."""
        return [op for op in self.members if op.type in EXITS or op.type in NEXTS]


def frames_of(needed: Iterable[Operation]) -> dict[Operation, Frame]:
    """Return the frame in which each operation of a run is; operations outside of all are left out.

    Raises InvalidArgumentError for an operation whose inputs are in different frames.
    """
    found: dict[Operation, Frame] = {}
    known: dict[tuple[Frame | None, str], Frame] = {}
    for op in sorted(needed, key=lambda op: op.number):
        inputs = [tensor.op for tensor in op.operands if tensor.op.type not in NEXTS]
        around = {each: _around(each, found) for each in dict.fromkeys([*inputs, *op.control_inputs])}
        outer = _common(op, around)
        if op.type in ENTERS:
            key = outer, op.get_attr("frame_name").decode()
            outer = known.setdefault(key, Frame(key[1], outer))
        if outer is not None:
            found[op] = outer
            outer.add(op)
            _take_in(outer, op)
    return found


def _around(op: Operation, found: dict[Operation, Frame]) -> Frame | None:
    """Return the frame in which an operation's results are: behind ``Exit`` the one outside."""
    frame = found.get(op)
    return frame.outer if frame is not None and op.type in EXITS else frame


def _common(op: Operation, around: dict[Operation, Frame | None]) -> Frame | None:
    frames = set(around.values())
    if len(frames) < 2:
        return next(iter(frames), None)
    first, *others = around
    other = next(each for each in others if around[each] is not around[first])
    told = [f"The input {each.name} is in frame '{_name(around[each])}'." for each in (first, other)]
    raise InvalidArgumentError(op, op, f"{op.name} has inputs from different frames. {' '.join(told)}")


def _name(frame: Frame | None) -> str:
    return "" if frame is None else frame.name


def _take_in(frame: Frame, op: Operation) -> None:
    """Note what an ``Enter`` takes from outside its frame."""
    if op.type in ENTERS:
        frame.operands += [tensor for tensor in op.operands if tensor not in frame.operands]
        frame.control_inputs += [each for each in op.control_inputs if each not in frame.control_inputs]


class FrameSteps:
    """Follows the steps of a frame until no ``NextIteration`` is alive.

    Args:
        first: the place that tells whether it is the first round.
        back: for each ``NextIteration`` the place of its value, and the one from which the next round takes it.
        ends: the places of what leaves the frame.
    """

    def __init__(
        self, steps: list[ReadyStep], first: int, back: Sequence[tuple[int, int]], ends: Sequence[int]
    ) -> None:
        self._steps, self._first, self._back, self._ends = steps, first, back, ends

    def __call__(self, values: list[Any]) -> None:
        end = end_of_run()
        for place in (*self._ends, *(arriving for _, arriving in self._back)):
            values[place] = DEAD
        values[self._first] = True
        while True:
            if end is not None:
                check_time(end)
            follow(self._steps, values)
            for made, arriving in self._back:
                values[arriving] = values[made]
            if all(values[arriving] is DEAD for _, arriving in self._back):
                return
            values[self._first] = False


def entering(constant: bool) -> Callable[[Any, Any], Any]:
    """Return the step of an ``Enter``: what it takes is there in the first round, a constant in all rounds."""
    return lambda first, value: value if first or constant else DEAD


def leaving(place: int) -> Callable[[list[Any], Any], Any]:
    """Return the step of an ``Exit``: the last value that was alive."""
    return lambda table, value: table[place] if value is DEAD else value
