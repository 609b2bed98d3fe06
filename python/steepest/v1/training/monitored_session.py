"""Sessions that begin with values for all variables, and let hooks take part in each run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from ...variables.collections import GraphKeys
from ..graph.errors import OutOfRangeError
from ..graph.graph import get_default_graph
from ..graph.session import Session
from .coordinator import Coordinator
from .queue_runner import start_queue_runners
from .session_creators import ChiefSessionCreator, Scaffold
from .session_hooks import SessionRunHook
from .wrapped_sessions import StepContext, _CoordinatedSession, _HookedSession, _RecoverableSession

__all__ = ["MonitoredSession", "SingularMonitoredSession"]


class MonitoredSession:
    """A session with hooks; the graph is finished when it begins. ``with`` closes it, and makes it no default session.

    Args:
        session_creator: what has ``create_session()``: a `ChiefSessionCreator`; the newest checkpoint of its folder, if
            there is one, gives variables their values.
        hooks: `SessionRunHook` objects.
        stop_grace_period_secs: how long the end waits for the threads of the coordinator that hooks are given.

    Source: ``tf.train.MonitoredSession``.
    """

    def __init__(
        self,
        session_creator: Any = None,
        hooks: Sequence[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        self.graph = get_default_graph()
        self._finished_before = self.graph.finalized
        self._hooks = list(hooks or ())
        for hook in self._hooks:
            hook.begin()
        creator = session_creator or ChiefSessionCreator()
        self._coordinated_creator = _CoordinatedSessionCreator(creator, self._hooks, stop_grace_period_secs)
        recovers = _RecoverableSession if self._recovers else _CoordinatedSessionCreator.create_session
        self._sess: Any = recovers(self._coordinated_creator)

    _recovers = True

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``, with what the hooks want besides.

        Where AbortedError or UnavailableError comes, the session is made anew, and the run made again. Raises
        RuntimeError after a hook asked for a stop, or the end; an error of a thread is not raised here, but at the end.
        """
        self._open()
        return self._sess.run(fetches, feed_dict, options, run_metadata)

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Call a function with an object that has ``session``, ``run_with_hooks`` and ``request_stop``.

        The last raises StopIteration, which leaves the function and the ``with`` block of the session. Where
        AbortedError or UnavailableError leaves the function, it is called again, with a new session for its hooks.
        Raises ValueError for a function of other arguments than ``step_context``, ``self`` before it.
        """
        names = inspect.getfullargspec(step_fn).args
        if "step_context" not in names[-1:] or names[:-1] not in ([], ["self"]):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's "
                f"an instance method. Got {tuple(names)} instead."
            )
        self._open()
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    StepContext = StepContext

    def should_stop(self) -> bool:
        """Tell whether a hook or a thread has asked for the end, or the session is closed.

        The error of a thread asks for it, and is raised at the end; a `SingularMonitoredSession` raises it here.
        """
        return self._sess is None or bool(self._sess.should_stop())

    def raw_session(self) -> Session | None:
        """Return the session inside; None after the end."""
        return None if self._is_closed() else self._coordinated_creator.tf_sess

    _tf_sess = raw_session  # by this name programs take it, or as ._sess._sess._sess._sess

    def _is_closed(self) -> bool:
        return self._sess is None

    def close(self) -> None:
        """Let the hooks end, and close the session. Raises RuntimeError where it is closed already."""
        self._close(True)

    def _open(self) -> Session:
        if self._sess is None:
            raise RuntimeError("Attempted to use a closed Session.")
        return self._coordinated_creator.tf_sess

    def _close(self, whole: bool) -> None:
        session, self._sess = self._sess, None
        if session is None:
            raise RuntimeError("Session is already closed.")
        try:
            for hook in self._hooks if whole else ():
                hook.end(self._coordinated_creator.tf_sess)
        finally:
            try:
                session.close()
            finally:
                if not self._finished_before:
                    self.graph._unsafe_unfinalize()

    def __enter__(self) -> MonitoredSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        at_end = kind in (StopIteration, OutOfRangeError)  # the errors of subclasses are the program's
        self._close(kind is None or at_end)
        return at_end


class _CoordinatedSessionCreator:
    """Makes the session in which hooks take part, beside the threads of a coordinator."""

    def __init__(self, creator: Any, hooks: Sequence[SessionRunHook], grace: float) -> None:
        self._creator, self._hooks, self._grace = creator, hooks, grace

    def create_session(self) -> _CoordinatedSession:
        """Return a new one, with a coordinator of its own."""
        self.coord = Coordinator(clean_stop_exception_types=[])
        self.tf_sess: Session = self._creator.create_session()
        if get_default_graph().get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(self.tf_sess, self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return _CoordinatedSession(_HookedSession(self.tf_sess, self._hooks), self.coord, self._grace)


class SingularMonitoredSession(MonitoredSession):
    """A `MonitoredSession` whose arguments begin with the hooks; nothing is made anew after an error."""

    _recovers = False

    def __init__(
        self,
        hooks: Sequence[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, stop_grace_period_secs)
