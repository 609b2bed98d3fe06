"""``tf.train.Checkpoint``: what objects hold, in a file, by the names of their attributes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...checkpoint import SUFFIX, save_arrays
from ...optim.optimizer import Optimizer
from ...variables.variable import Variable as CoreVariable
from ..graph.default_session import get_default_session
from ..graph.graph import get_default_graph
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..variables.variables import Variable
from .checkpoint_state import arrays_of, checkpoint_exists, load_checkpoint, record
from .saved_variables import read_variable
from .saver import Saver
from .text_arrays import as_numbers

__all__ = ["Checkpoint"]

_VALUE = ".ATTRIBUTES/VARIABLE_VALUE"
_SLOT = ".OPTIMIZER_SLOT"
_COUNTER = f"save_counter/{_VALUE}"


class Checkpoint:
    """Variables, optimizers, layers, and lists, dicts and checkpoints of them, that are saved and restored together.

    ``Checkpoint(step=step, optimizer=optimizer, weights=[w, b])`` names the values by attributes: they are found again
    though variables are called otherwise. Of optimizers the slots of variables that belong to the checkpoint are saved.
    Names in the file are TensorFlow's.

    Raises:
        ValueError: for an attribute that is nothing of these.

    Source: ``tf.train.Checkpoint``.
    """

    _restored: str | None = None
    _counter: Any = None

    def __init__(self, **kwargs: Any) -> None:
        for key, value in kwargs.items():
            if not _is_trackable(value):
                raise ValueError(
                    f"`Checkpoint` was expecting {key} to be a trackable object (a variable, an optimizer, a layer, "
                    f"a metric, a Checkpoint, or a list or dict of them), got {value!r:.80}"
                )
            setattr(self, key, value)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if self._restored is not None and name not in ("_restored", "_counter") and executing_eagerly():
            _assign(self, self._restored)  # an attribute that comes later gets its values then

    @property
    def _children(self) -> dict[str, Any]:
        own = {name: value for name, value in vars(self).items() if not name.startswith("_") and _is_trackable(value)}
        return own if self._counter is None else {**own, "save_counter": self._counter}

    def _variables(self) -> dict[str, Any]:
        """Return the variables by their names in the file."""
        found = dict(_named(self._children, ""))
        parameters = list(found.items())
        for path, optimizer in _optimizers(self._children, ""):
            for slot in optimizer.get_slot_names():
                held = ((place, optimizer.get_slot(variable, slot)) for place, variable in parameters)
                found |= {f"{place}/{_SLOT}/{path}/{slot}": each for place, each in held if each is not None}
            for key, variable in optimizer._slot_table.non_slots.items():
                name, graph = key if isinstance(key, tuple) else (key, None)
                if graph is None or graph is get_default_graph():
                    found[f"{path}/{name}"] = variable
        return {f"{path}/{_VALUE}": variable for path, variable in found.items()}

    def write(self, file_prefix: str, session: Session | None = None) -> str:
        """Write the values to ``<file_prefix>.safetensors``; return ``file_prefix``."""
        where: Any = session or get_default_session()
        arrays = {name: np.asarray(read_variable(where, variable)) for name, variable in self._variables().items()}
        Path(file_prefix).parent.mkdir(parents=True, exist_ok=True)
        save_arrays(file_prefix + SUFFIX, as_numbers(arrays))
        return file_prefix

    def save(self, file_prefix: str, session: Session | None = None) -> str:
        """Write the values to ``<file_prefix>-<n>.safetensors``, n counting the calls; return that path without suffix.

        The file ``checkpoint`` of the folder then names it as the newest.
        """
        session = session or get_default_session()  # type: ignore[assignment]
        number = self._counted(session)
        path = self.write(f"{file_prefix}-{number}", session)
        record(Path(path).parent / "checkpoint", [path])
        return path

    @property
    def save_counter(self) -> Any:
        """The variable that counts the calls of `save`; it is made when it is first asked for."""
        if self._counter is None:
            counter = Variable(np.zeros((), np.int64), trainable=False, name="save_counter", collections=[])
            object.__setattr__(self, "_counter", counter)
        return self._counter

    def _counted(self, session: Session | None) -> int:
        """Advance the number of saves, and return it."""
        counter = self.save_counter
        if executing_eagerly():
            counter.assign_add(1)
            return int(counter.numpy())
        if session is None:
            raise RuntimeError("Checkpoint.save: there is no session: give one, or call it within one")
        if session._read(counter.op) is None:
            session.run(counter.initializer)
        return int(session.run(counter.assign_add(1)))

    def restore(self, save_path: str | None) -> Any:
        """Give the variables the values in a checkpoint; in graph mode when the returned status is told to.

        Returns a status: ``assert_consumed()``, ``assert_existing_objects_matched()``, ``expect_partial()``,
        ``run_restore_ops(session)``, ``initialize_or_restore(session)``. None for a path restores nothing.

        Raises NotFoundError for a path without a checkpoint.
        """
        if save_path is None:
            return _Status(self, None)
        load_checkpoint(save_path)  # raises where there is none
        if self._counter is None and _COUNTER in arrays_of(save_path):
            self.save_counter  # noqa: B018  # it is made
        if executing_eagerly():
            _create_slots(self, save_path)
            _assign(self, save_path)
            self._restored = save_path
        return _Status(self, save_path)

    read = restore


class _Status:
    """What came of `Checkpoint.restore`."""

    def __init__(self, checkpoint: Checkpoint, path: str | None) -> None:
        self._checkpoint, self._path = checkpoint, path

    def _names(self) -> set[str]:
        return set() if self._path is None else {name for name in arrays_of(self._path) if name.endswith(_VALUE)}

    def assert_consumed(self) -> _Status:
        """Raise AssertionError unless every value of the checkpoint has a variable, and every variable a value."""
        missing = self._names() - set(self._checkpoint._variables())
        if self._path is None or missing:
            raise AssertionError(f"Unresolved object in checkpoint: {sorted(missing)[:5] or 'no checkpoint'}")
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> _Status:
        """Raise AssertionError unless every variable has a value in the checkpoint."""
        missing = set(self._checkpoint._variables()) - self._names() - {_COUNTER}
        if self._path is None or missing:
            raise AssertionError(f"No values in the checkpoint for {sorted(missing)[:5] or 'any object'}")
        return self

    def assert_nontrivial_match(self) -> _Status:
        """Raise AssertionError where no variable has a value in the checkpoint."""
        if not self._names() & set(self._checkpoint._variables()):
            raise AssertionError("Nothing to load: no variable has a value in the checkpoint")
        return self

    def expect_partial(self) -> _Status:
        """Accept that not everything is matched."""
        return self

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Give the variables of a session their values."""
        if not executing_eagerly() and self._path is not None:
            _assign(self._checkpoint, self._path, session or get_default_session())

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Give the variables of a session their values; those without one in the checkpoint their first ones."""
        session = session or get_default_session()  # type: ignore[assignment]
        if executing_eagerly() or session is None:
            return
        known = self._names()
        variables = self._checkpoint._variables()
        session.run(
            [v.initializer for name, v in variables.items() if name not in known and session._read(v.op) is None]
        )
        self.run_restore_ops(session)


def _is_trackable(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_trackable(item) for item in value)
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_trackable(item) for key, item in value.items())
    own = (Variable, CoreVariable, Optimizer, Checkpoint)
    return isinstance(value, own) or hasattr(value, "trainable_variables") or hasattr(value, "init_variables")


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Checkpoint):
        yield from value._children.items()
    elif isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, (list, tuple)):
        yield from ((str(position), item) for position, item in enumerate(value))
    elif not isinstance(value, (Variable, CoreVariable, Optimizer)):  # a layer, or a metric
        names = [v.name.removesuffix(":0").rsplit("/", 1)[-1] for v in value.variables]
        yield from zip(names, value.variables, strict=True)


def _named(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Give the variables in objects with their paths."""
    if isinstance(value, (Variable, CoreVariable)):
        yield path, value
        return
    for name, item in _items(value):
        yield from _named(item, f"{path}/{name}".lstrip("/"))


def _optimizers(value: Any, path: str) -> Iterator[tuple[str, Optimizer]]:
    if isinstance(value, Optimizer):
        yield path, value
        return
    for name, item in _items(value):
        yield from _optimizers(item, f"{path}/{name}".lstrip("/"))


def _create_slots(checkpoint: Checkpoint, path: str) -> None:
    """Make the slots that the checkpoint has values for, and the optimizers have not made yet."""
    names = list(arrays_of(path))
    variables = dict(_named(checkpoint._children, ""))
    for place, optimizer in _optimizers(checkpoint._children, ""):
        slotted = [
            v for name, v in variables.items() if any(key.startswith(f"{name}/{_SLOT}/{place}/") for key in names)
        ]
        if slotted:
            optimizer._create_slots(slotted)


def _assign(checkpoint: Checkpoint, path: str, session: Any = None) -> None:
    """Give variables the values that the checkpoint has: all of these, or on any error none."""
    if not checkpoint_exists(path):
        return
    known = arrays_of(path)
    fitting = {name: variable for name, variable in checkpoint._variables().items() if name in known}
    if fitting:
        Saver(fitting).restore(session, path)
