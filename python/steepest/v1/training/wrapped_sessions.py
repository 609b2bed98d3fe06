"""Sessions around a session: with hooks, with a coordinator; what `MonitoredSession` is made of in TensorFlow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from ..graph.errors import AbortedError, UnavailableError
from ..graph.log import error, info
from ..graph.run_messages import RunMetadata, RunOptions
from .coordinator import Coordinator
from .session_hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues

__all__ = [
    "StepContext",
    "_CoordinatedSession",
    "_HookedSession",
    "_RecoverableSession",
    "_WrappedSession",
    "run_with_hooks",
]

T = TypeVar("T")

# What is raised where a process that took part is gone: the work can begin anew.
_GONE = (AbortedError, UnavailableError)

# The options of which a run gets the largest that its caller and its hooks ask for.
_LARGEST = (
    "trace_level",
    "timeout_in_ms",
    "inter_op_thread_pool",
    "output_partition_graphs",
    "report_tensor_allocations_upon_oom",
)


def run_with_hooks(
    session: Any, hooks: Sequence[SessionRunHook], fetches: Any, feed_dict: Any, options: Any, run_metadata: Any
) -> tuple[Any, bool]:
    """Return what a run gives, with what the hooks want besides, and whether one of them asks for the end."""
    context = SessionRunContext(SessionRunArgs(fetches, feed_dict), session)
    wanted = [hook.before_run(context) for hook in hooks]
    feeds = feed_dict
    for args in wanted:
        for key, value in (args.feed_dict or {}).items() if args is not None else ():
            if feeds and key in feeds:
                who = "a SessionRunHook and user" if feed_dict and key in feed_dict else "two hooks"
                raise RuntimeError(f"Same tensor is fed by {who}. Conflict(s): {[key]}")
            feeds = {**(feeds or {}), key: value}
    options = _merged(options, [args.options for args in wanted if args is not None and args.options is not None])
    run_metadata = run_metadata or RunMetadata()
    besides = {k: a.fetches for k, a in enumerate(wanted) if a is not None and a.fetches is not None}
    results = session.run(
        fetches={"caller": fetches, "hooks": besides}, feed_dict=feeds, options=options, run_metadata=run_metadata
    )
    for k, hook in enumerate(hooks):
        hook.after_run(context, SessionRunValues(results["hooks"].get(k), options, run_metadata))
    return results["caller"], context.stop_requested


def _merged(options: Any, others: Sequence[Any]) -> Any:
    """Return options of a run with those of hooks: of each number the largest, and all that is watched."""
    if not others:
        return options or RunOptions()
    merged = RunOptions()
    for each in ([options] if options else []) + list(others):
        for name in _LARGEST:
            setattr(merged, name, max(getattr(merged, name), getattr(each, name)))
        merged.debug_options.MergeFrom(each.debug_options)
    return merged


class StepContext:
    """What a function that `MonitoredSession.run_step_fn` calls is given: ``session``, which runs without hooks.

    Source: ``tf.train.MonitoredSession.StepContext``.
    """

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self.session, self._run_with_hooks_fn = session, run_with_hooks_fn

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """Run as ``MonitoredSession.run``."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Leave the function and the ``with`` block of the session: raises StopIteration."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _WrappedSession:
    """A session inside another one: closed it wants to stop."""

    def __init__(self, sess: Any) -> None:
        self._sess: Any = sess

    @property
    def graph(self) -> Any:
        """The graph."""
        return self._sess.graph

    @property
    def sess_str(self) -> Any:
        """What the session is connected to."""
        return self._sess.sess_str

    def should_stop(self) -> bool:
        """Tell whether it is closed, or the session inside is to stop."""
        if self._sess is None or self._check_stop():
            return True
        return isinstance(self._sess, _WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        return False

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``."""
        return self._sess.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn: Callable[..., Any], raw_session: Any, run_with_hooks: Any) -> Any:
        """Call a function with a `StepContext`; its runs with hooks are of this session where no others are given."""
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))

    def close(self) -> None:
        """Close the session inside; that a process is gone is no error then."""
        session, self._sess = self._sess, None
        if session is not None:
            try:
                session.close()
            except _GONE as gone:
                error("An error occurred when attempting to close the session. Error: %s", gone)


class _CoordinatedSession(_WrappedSession):
    """A session that ends together with the threads of a coordinator."""

    def __init__(self, sess: Any, coord: Coordinator, stop_grace_period_secs: float = 120) -> None:
        super().__init__(sess)
        self._coord, self._grace = coord, stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``; where a thread has said that a process is gone, its error is the cause."""
        try:
            return super().run(fetches, feed_dict, options, run_metadata)
        except _GONE:
            raise
        except Exception as raised:
            try:
                self._coord.raise_requested_exception()
            except _GONE:
                raise
            except Exception:
                raise raised from None
            raise

    def close(self) -> None:
        """Ask the threads to end, wait for them, and close the session inside."""
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            with suppress(Exception):  # the threads tell of what matters
                super().close()


class _HookedSession(_WrappedSession):
    """A session whose runs hooks take part in."""

    def __init__(self, sess: Any, hooks: Sequence[SessionRunHook]) -> None:
        super().__init__(sess)
        self._hooks = list(hooks)
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``, with what the hooks want besides. Raises RuntimeError after one asked for the end."""
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        results, stop = run_with_hooks(self._sess, self._hooks, fetches, feed_dict, options, run_metadata)
        self._should_stop = self._should_stop or stop
        return results


class _RecoverableSession(_WrappedSession):
    """A session that is made anew, and runs again, where a process that took part is gone."""

    def __init__(self, sess_creator: Any) -> None:
        self._creator = sess_creator
        super().__init__(self._made())

    def _made(self) -> Any:
        while True:
            try:
                return self._creator.create_session()
            except _GONE as gone:
                info("An error was raised while a session was being created; a new one is made. Error: %s", gone)

    def _anew(self, gone: Exception) -> None:
        info("An error was raised; the session is closed, and a new one is made. Error: %s", gone)
        self.close()

    def _check_stop(self) -> bool:
        try:
            return bool(self._sess._check_stop()) if self._sess is not None else True
        except _GONE as gone:
            self._anew(gone)
            self._sess = self._made()
            return False
        except Exception:  # of a thread: the end, where the threads are joined, raises it after the hooks had theirs
            return True

    def _lasting(self, work: Callable[[Any], T]) -> T:
        """Return what the work makes of the session inside, of a new one as often as it takes."""
        while True:
            try:
                if self._sess is None:
                    self._sess = self._made()
                return work(self._sess)
            except _GONE as gone:
                self._anew(gone)

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """Run as ``Session.run``, in a new session as often as it takes."""
        return self._lasting(
            lambda inside: inside.run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
        )

    def run_step_fn(self, step_fn: Callable[..., Any], raw_session: Any, run_with_hooks: Any) -> Any:
        """Call a function with a `StepContext`, the whole function again where a process is gone."""
        return self._lasting(lambda inside: inside.run_step_fn(step_fn, raw_session, inside.run))
