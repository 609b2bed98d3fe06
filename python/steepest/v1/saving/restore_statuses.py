"""What came of restoring a checkpoint: whether everything was found, and what is to be run."""

from __future__ import annotations

from typing import Any

from ...variables.variable import Variable as CoreVariable
from ..graph.default_session import get_default_session
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..variables.variables import Variable
from .checkpoint_state import arrays_of, load_checkpoint
from .object_graphs import Attached, has_objects, listed_objects
from .restorations import Restoration
from .saved_variables import variables_by_name
from .saver import Saver

__all__ = ["Status", "restored"]

_PLAIN = (list, tuple, dict)


class Status:
    """What came of ``Checkpoint.restore``."""

    def __init__(self, root: Any, restoration: Restoration | None, attached: Attached = ()) -> None:
        self._root, self._restoration, self._attached = root, restoration, attached

    def _listed(self) -> list[Any]:
        return listed_objects(self._root, self._attached)

    def _settled(self) -> Restoration:
        if self._restoration is None:
            raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")
        self._restoration.settle()
        return self._restoration

    def assert_consumed(self) -> Status:
        """Raise AssertionError unless every object of the checkpoint was found, and every object here is in it."""
        restoration = self._settled()
        for number, node in enumerate(restoration.nodes):
            if number not in restoration.bound and node.attributes:
                raise AssertionError(f"Unresolved object in checkpoint: {restoration.path_of(number)}")
        if restoration.unused:
            told = [f"{restoration.path_of(number)}: {names}" for number, names in restoration.unused.items()]
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but not in the objects): "
                f"{told}"
            )
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Raise AssertionError unless every object here is in the checkpoint."""
        bound = {id(value) for value in self._settled().bound.values()}
        attached = dict(self._attached).get("save_counter")
        counter = getattr(self._root, "_counter", attached)  # of a file that was written, not saved
        for value in self._listed():
            empty = all(isinstance(each, _PLAIN) for each in listed_objects(value))
            if id(value) not in bound and not empty and value is not counter:
                raise AssertionError(
                    "Some Python objects were not bound to checkpointed values, likely due to changes in the Python "
                    f"program: {value!r:.80}"
                )
        return self

    def assert_nontrivial_match(self) -> Status:
        """Raise AssertionError where nothing but the first object was found."""
        if len(self._settled().bound) < 2:
            raise AssertionError(
                "Nothing to load. No dependencies have been added to the root object yet, or no object matches."
            )
        return self

    def expect_partial(self) -> Status:
        """Accept that not everything is matched: no warning follows."""
        if self._restoration is not None:
            self._restoration.is_partial = True
        return self

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Give the variables of a session their values."""
        if self._restoration is not None:
            self._restoration.settle()
            self._restoration.run(session)

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Give the variables of a session their values; those without one in the checkpoint their first ones."""
        session = session or get_default_session()  # type: ignore[assignment]
        if executing_eagerly() or session is None:
            return
        if self._restoration is not None:
            self._restoration.settle()
        known = set() if self._restoration is None else {id(value) for value in self._restoration.bound.values()}
        variables = [v for v in self._listed() if isinstance(v, Variable) and id(v) not in known]
        session.run([v.initializer for v in variables if session._read(v.op) is None])
        self.run_restore_ops(session)


class _NamedStatus(Status):
    """What came of a checkpoint that a `Saver` wrote: variables have the values of their own names."""

    def __init__(self, root: Any, path: str, attached: Attached) -> None:
        super().__init__(root, None, attached)
        self._path = path

    def assert_consumed(self) -> Status:
        """Raise AssertionError unless every value has a variable, and every variable a value."""
        unused = set(arrays_of(self._path)) - set(variables_by_name(self._variables(), True))
        if unused:
            raise AssertionError(f"Some objects had attributes which were not restored: {sorted(unused)[:5]}")
        return self.assert_existing_objects_matched()

    def assert_existing_objects_matched(self) -> Status:
        """Raise AssertionError unless every variable has a value."""
        missing = set(variables_by_name(self._variables(), True)) - set(arrays_of(self._path))
        if missing:
            raise AssertionError(f"Some objects had no value in the checkpoint: {sorted(missing)[:5]}")
        return self

    def assert_nontrivial_match(self) -> Status:
        """Raise AssertionError where no variable has a value."""
        if not set(variables_by_name(self._variables(), True)) & set(arrays_of(self._path)):
            raise AssertionError("Nothing to load: no variable has a value in the checkpoint")
        return self

    def _variables(self) -> list[Any]:
        counter = getattr(self._root, "_counter", None)
        found = [each for each in self._listed() if isinstance(each, (Variable, CoreVariable))]
        return [each for each in found if each is not counter]

    def run_restore_ops(self, session: Session | None = None) -> None:
        """Give the variables their values; NotFoundError where one has none."""
        where: Any = session or get_default_session()
        Saver(self._variables()).restore(where, self._path)

    def initialize_or_restore(self, session: Session | None = None) -> None:
        """Do the same."""
        self.run_restore_ops(session)


def restored(root: Any, path: str | None, attached: Attached = ()) -> Status:
    """Return what comes of restoring a checkpoint into an object and what it depends on: one of objects, or of names.

    Raises NotFoundError for a path without a checkpoint.
    """
    if path is None:
        return Status(root, None, attached)
    load_checkpoint(path)  # raises where there is none
    if not has_objects(arrays_of(path)):
        return _NamedStatus(root, path, attached)
    restoration = Restoration(path, attached)
    restoration.bind(root, 0)
    return Status(root, restoration, attached)
