"""What programs say of a cluster of processes: its jobs and addresses, and the devices that its parts are put on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..graph import log
from ..graph.devices import DeviceSpec

__all__ = ["STANDARD_PS_OPS", "ClusterDef", "ClusterSpec", "JobDef", "replica_device_setter"]

STANDARD_PS_OPS = (
    "Variable",
    "VariableV2",
    "AutoReloadVariable",
    "MutableHashTable",
    "MutableHashTableV2",
    "MutableHashTableOfTensors",
    "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable",
    "MutableDenseHashTableV2",
    "VarHandleOp",
    "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp",
    "ResourceConditionalAccumulator",
)
"""The types of operations that a cluster keeps in its parameter servers."""


class JobDef:
    """One job of a cluster: ``name``, and ``tasks``, the addresses by their numbers."""

    def __init__(self, name: str = "", tasks: Mapping[int, str] | None = None) -> None:
        self.name, self.tasks = name, dict(tasks or {})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JobDef) and (self.name, self.tasks) == (other.name, other.tasks)

    __hash__ = None  # type: ignore[assignment]  # it can change


class ClusterDef:
    """The jobs of a cluster, as the message that TensorFlow's programs exchange: ``job`` is a list of `JobDef`."""

    def __init__(self, job: Sequence[JobDef] = ()) -> None:
        self.job = list(job)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterDef) and self.job == other.job

    __hash__ = None  # type: ignore[assignment]  # it can change


class ClusterSpec:
    """The jobs of a cluster and the addresses of their tasks; nothing here speaks to them.

    Args:
        cluster: from the names of jobs to lists of addresses, or to dicts from numbers of tasks to addresses; or
            another one, or its `ClusterDef`.

    Raises:
        TypeError: for anything else.

    Example:
        >>> from steepest import v1 as tf
        >>> cluster = tf.train.ClusterSpec({"ps": ["a:2222"], "worker": ["b:2222", "c:2222"]})
        >>> cluster.num_tasks("worker"), cluster.task_address("worker", 1)
        (2, 'c:2222')

    Source: ``tf.train.ClusterSpec``.
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, ClusterDef):
            self._jobs = {job.name: dict(job.tasks) for job in cluster.job}
            return
        if not isinstance(cluster, dict):
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses, or a "
                "`ClusterDef` protocol buffer"
            )
        self._jobs = {}
        for name, tasks in cluster.items():
            if not isinstance(tasks, (list, tuple, dict)):
                raise TypeError(f"The tasks for job {name!r} must be a list or a dictionary from integers to strings.")
            self._jobs[name] = dict(tasks if isinstance(tasks, dict) else enumerate(tasks))
        for name, addresses in self._jobs.items():
            if not isinstance(name, (str, bytes)):
                raise TypeError(f"Job name {name!r} must be bytes or unicode")
            for address in addresses.values():
                if not isinstance(address, (str, bytes)):
                    raise TypeError(f"Task address {address!r} must be bytes or unicode")

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return bool(self._jobs == (other._jobs if isinstance(other, ClusterSpec) else other))

    __hash__ = None  # type: ignore[assignment]  # as TensorFlow's

    def __str__(self) -> str:
        held = self.as_dict()
        return "ClusterSpec({" + ", ".join(f"{name!r}: {held[name]!r}" for name in sorted(held)) + "})"

    def as_dict(self) -> dict[str, Any]:
        """Return the addresses by job: lists, dicts where numbers of tasks are left out."""
        found: dict[str, Any] = {}
        for name, tasks in self._jobs.items():
            dense = bool(tasks) and max(tasks) + 1 == len(tasks)
            found[name] = self.job_tasks(name) if dense else {number: tasks[number] for number in sorted(tasks)}
        return found

    def as_cluster_def(self) -> ClusterDef:
        """Return the jobs as a message."""
        return ClusterDef([JobDef(name, dict(sorted(tasks.items()))) for name, tasks in sorted(self._jobs.items())])

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._jobs)

    def num_tasks(self, job_name: str) -> int:
        """Return how many tasks a job has; ValueError for no job."""
        return len(self._tasks(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """Return the numbers of a job's tasks; ValueError for no job."""
        return sorted(self._tasks(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """Return the address of a task; ValueError for no job or no task."""
        tasks = self._tasks(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[str | None]:
        """Return the addresses of a job's tasks, None for numbers that are left out; ValueError for no job."""
        tasks = self._tasks(job_name)
        return [tasks.get(number) for number in range(max(tasks) + 1)]

    def _tasks(self, job_name: str) -> dict[int, str]:
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]


def replica_device_setter(
    ps_tasks: int = 0,
    ps_device: str = "/job:ps",
    worker_device: str = "/job:worker",
    merge_devices: bool = True,
    cluster: Any = None,
    ps_ops: Sequence[str] | None = None,
    ps_strategy: Callable[[Any], int] | None = None,
) -> Callable[[Any], str] | None:
    """Return a function for ``tf.device``: variables are put on the tasks of ``ps_device`` in turn, all else elsewhere.

    The names of devices are recorded; everything runs in this process.

    Args:
        ps_tasks: how many tasks there are, where no ``cluster`` says it; with 0 None is returned.
        ps_device, worker_device: where variables, and where all other operations are put.
        merge_devices: whether what an operation already says of its device is completed; else it is all there is.
        cluster: a `ClusterSpec`, or what one is made of.
        ps_ops: the types of the operations that count as variables, `STANDARD_PS_OPS`.
        ps_strategy: a function that returns the number of the task for an operation, by default the next one.

    Raises:
        TypeError: for a cluster or a strategy that is none.

    Source: ``tf.train.replica_device_setter``.
    """
    if cluster is not None:
        tasks = ClusterSpec(cluster).as_dict().get(str(DeviceSpec.from_string(ps_device).job))
        ps_tasks = len(tasks or ())
    if ps_tasks == 0:
        return None
    if not merge_devices:
        log.warning("DEPRECATION: It is recommended to set merge_devices=true in replica_device_setter")
    strategy = _InTurn(ps_tasks) if ps_strategy is None else ps_strategy
    if not callable(strategy):
        raise TypeError("ps_strategy must be callable")
    kept = STANDARD_PS_OPS if ps_ops is None else tuple(ps_ops)

    def device_function(op: Any) -> str:
        if op.device and not merge_devices:
            return str(op.device)
        own, wanted = DeviceSpec.from_string(op.device or ""), DeviceSpec.from_string(worker_device or "")
        if ps_device and op.node_def.op in kept:
            wanted = DeviceSpec.from_string(ps_device)
            if wanted.job and own.job in (None, wanted.job):
                wanted.task = int(strategy(op))
        wanted.merge_from(own)
        place: str = wanted.to_string()
        return place

    return device_function


class _InTurn:
    """Gives the numbers of tasks, one after the other."""

    def __init__(self, count: int) -> None:
        self._count, self._next = count, 0

    def __call__(self, op: Any) -> int:
        task, self._next = self._next, (self._next + 1) % self._count
        return task
