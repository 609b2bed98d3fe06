"""What a `MonitoredSession` begins with: how its session is made, and what gives variables their values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import get_default_graph
from ..graph.session import Session
from ..graph.session_targets import is_served
from ..ops.control_flow_ops import group
from ..saving.saver import Saver, _get_saver_or_default
from ..variables.variables_initializer import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
    tables_initializer,
)
from .session_manager import SessionManager

__all__ = ["ChiefSessionCreator", "Scaffold", "SessionCreator", "WorkerSessionCreator"]


class Scaffold:
    """What a monitored session begins with. Source: ``tf.train.Scaffold``.

    Args:
        init_op: gives variables their values; by default their initializers.
        init_feed_dict: fed to it.
        init_fn: called with the scaffold and the session after it.
        local_init_op, local_init_feed_dict: by default the initializers of local variables.
        saver: by default one of all variables.
        ready_op: gives the names of variables without a value; by default of all.
        ready_for_local_init_op: the same, of the global ones.
        summary_op: gives the summaries; by default, where a hook writes them, those of the collection, merged.
        copy_from_scaffold: another one, which has what is not given.

    Raises TypeError where that is none.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Any, Any], None] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Saver | None = None,
        copy_from_scaffold: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        if copy_from_scaffold is not None and not isinstance(copy_from_scaffold, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")
        self.init_op, self.init_feed_dict, self.init_fn = init_op, init_feed_dict, init_fn
        self.local_init_op, self.summary_op, self.saver = local_init_op, summary_op, saver
        self.local_init_feed_dict, self.ready_op = local_init_feed_dict, ready_op
        self.ready_for_local_init_op = ready_for_local_init_op
        if copy_from_scaffold is not None:
            for name, value in vars(copy_from_scaffold).items():
                if getattr(self, name) is None:
                    setattr(self, name, value)

    def finalize(self) -> Scaffold:
        """Make what was not given, and finish the graph; see `made`."""
        self.made()
        get_default_graph().finalize()
        return self

    def made(self) -> Scaffold:
        """Make what was not given. Raises RuntimeError where several savers are in the collection of savers."""
        if self.init_op is None:
            self.init_op = self.get_or_default("init_op", GraphKeys.INIT_OP, _init)
        if self.local_init_op is None:
            key = GraphKeys.LOCAL_INIT_OP
            self.local_init_op = self.get_or_default("local_init_op", key, self.default_local_init_op)
        if self.ready_op is None:
            self.ready_op = self.get_or_default("ready_op", GraphKeys.READY_OP, report_uninitialized_variables)
        if self.ready_for_local_init_op is None:
            name, key = "ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP
            self.ready_for_local_init_op = self.get_or_default(name, key, _global_ones_without_value)
        if self.saver is None:
            self.saver = _get_saver_or_default()
        return self

    @staticmethod
    def get_or_default(arg_name: str, collection_key: str, default_constructor: Callable[[], Any]) -> Any:
        """Return the one thing in a collection, else what a function makes, which is put there unless it is None.

        An earlier session of the graph, which may be finished, has put it there.
        Raises RuntimeError where there are several; ``arg_name`` is what it names to choose one with.
        """
        graph = get_default_graph()
        found = graph.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f"More than one item in the collection {collection_key!r}. Please indicate which one to use by passing "
                f"it to the tf.Scaffold constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """Return the operation that gives local variables their values and fills tables."""
        return group(*[op for op in (local_variables_initializer(), tables_initializer()) if op is not None])


def _init() -> Any:
    return global_variables_initializer() or group()


def _global_ones_without_value() -> Any:
    return report_uninitialized_variables(get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES))


_BETWEEN_LOOKS = 0.1
"""How many seconds a worker waits before it looks again whether the chief is done; both are in one process."""


class SessionCreator:
    """What a session begins with: a `Scaffold`, and the folder of checkpoints from which it goes on."""

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        self.master = master
        self.scaffold = scaffold or Scaffold()
        self.config = config
        self.checkpoint_dir = checkpoint_dir
        self.checkpoint_path = checkpoint_filename_with_path

    def create_session(self) -> Session:
        """Return a session whose variables have the checkpoint's values, or their initial ones.

        Raises RuntimeError where one of them is left without a value; see `SessionManager.prepare_session`.
        """
        manager, scaffold = self._managed()
        init_fn = scaffold.init_fn
        return manager.prepare_session(
            self.master,
            scaffold.init_op,
            scaffold.saver,
            self.checkpoint_dir,
            self.checkpoint_path,
            config=self.config,
            init_feed_dict=scaffold.init_feed_dict,
            init_fn=None if init_fn is None else lambda session: init_fn(scaffold, session),
        )

    def _managed(self, **options: Any) -> tuple[SessionManager, Scaffold]:
        """Return what makes sessions, and the scaffold, whose graph is finished from here on."""
        scaffold = self.scaffold.finalize()
        log.info("Graph was finalized.")
        local = {"local_init_feed_dict": scaffold.local_init_feed_dict, **options}
        ready = scaffold.ready_op, scaffold.ready_for_local_init_op
        return SessionManager(scaffold.local_init_op, *ready, **local), scaffold


class ChiefSessionCreator(SessionCreator):
    """The creator of the one process that there is. Source: ``tf.train.ChiefSessionCreator``."""


class WorkerSessionCreator(SessionCreator):
    """Waits until the chief's session has given the variables of their server values.

    Without a server (`tf.train.Server`) there is one process, and it is the chief. Source:
    ``tf.train.WorkerSessionCreator``.
    """

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: float = 1800
    ) -> None:
        super().__init__(scaffold, master, config)
        self._patience = max_wait_secs

    def create_session(self) -> Session:
        """Return a session that is ready; DeadlineExceededError where that takes longer than ``max_wait_secs``."""
        if not is_served(self.master):
            return super().create_session()
        manager, _ = self._managed(recovery_wait_secs=_BETWEEN_LOOKS)
        return manager.wait_for_session(self.master, self.config, self._patience)
