"""Batches of distributions that are taken together for one of vectors."""

from __future__ import annotations

from typing import Any

from ...distributions.distribution import Distribution
from ...distributions.kullback_leibler import RegisterKL, kl_divergence
from ...graph.scopes import name_scope
from ...ops.array_ops import shape
from ...ops.concat_ops import concat
from ...ops.reduce_ops import reduce_sum

__all__ = ["Independent"]


class Independent(Distribution):
    """A batch of distributions taken for one of vectors: its last axes are the event's.

    ``reinterpreted_batch_ndims``: how many axes, by default all but the first.

    Source: ``tf.contrib.distributions.Independent``.
    """

    def __init__(
        self,
        distribution: Distribution,
        reinterpreted_batch_ndims: int | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        known = distribution.batch_shape.ndims
        self._distribution = distribution
        self._taken = max((known or 0) - 1, 0) if reinterpreted_batch_ndims is None else int(reinterpreted_batch_ndims)
        if known is not None and self._taken > known:
            raise ValueError(
                f"reinterpreted_batch_ndims({self._taken}) cannot exceed distribution.batch_ndims({known})"
            )
        given = {"distribution": distribution, "reinterpreted_batch_ndims": reinterpreted_batch_ndims}
        with name_scope(name or f"Independent{distribution.name.strip('/').rpartition('/')[2]}") as scope:
            kind = distribution.reparameterization_type
            super().__init__(distribution.dtype, kind, validate_args, distribution.allow_nan_stats, given, name=scope)

    @property
    def distribution(self) -> Distribution:
        """The batch."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> int:
        """How many axes of the batch are the event's."""
        return self._taken

    def _batch_shape(self) -> Any:
        whole = self._distribution.batch_shape
        return whole if whole.ndims is None else whole[: whole.ndims - self._taken]

    def _batch_shape_tensor(self) -> Any:
        whole = self._distribution.batch_shape_tensor()
        return whole[: shape(whole)[0] - self._taken]

    def _event_shape(self) -> Any:
        whole = self._distribution.batch_shape
        own = whole if whole.ndims is None else whole[whole.ndims - self._taken :]
        return own.concatenate(self._distribution.event_shape)

    def _event_shape_tensor(self) -> Any:
        whole = self._distribution.batch_shape_tensor()
        return concat([whole[shape(whole)[0] - self._taken :], self._distribution.event_shape_tensor()], 0)

    def _over(self, values: Any) -> Any:
        return reduce_sum(values, list(range(-self._taken, 0))) if self._taken else values

    def _draw(self, sample_shape: Any, seed: int | None) -> Any:
        return self._distribution._draw(sample_shape, seed)

    def _log_prob(self, value: Any) -> Any:
        return self._over(self._distribution._log_prob(value))

    def _mean(self) -> Any:
        return self._distribution.mean()

    def _mode(self) -> Any:
        return self._distribution.mode()

    def _stddev(self) -> Any:
        return self._distribution.stddev()

    def _variance(self) -> Any:
        return self._distribution.variance()

    def _entropy(self) -> Any:
        return self._over(self._distribution.entropy())


@RegisterKL(Independent, Independent)
def _independents(a: Independent, b: Independent, name: str | None = None) -> Any:
    if a.reinterpreted_batch_ndims != b.reinterpreted_batch_ndims:
        raise ValueError("KL between Independents of different reinterpreted_batch_ndims is not implemented")
    return a._over(kl_divergence(a.distribution, b.distribution))
