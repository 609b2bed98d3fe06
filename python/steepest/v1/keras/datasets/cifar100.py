"""``tf.keras.datasets.cifar100``: 60,000 coloured images of 32 x 32 pixels, in a hundred classes of twenty kinds."""

from __future__ import annotations

from ...graph.missing import namespace
from .cifar import load_batches
from .sources import Parts

__all__ = ["load_data"]

_HASH = "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7"


def load_data(label_mode: str = "fine") -> Parts:
    """Return uint8 images [50,000, 32, 32, 3] with their classes [50,000, 1], and 10,000 others for testing.

    Args:
        label_mode: "fine" for a hundred classes, "coarse" for twenty; ValueError for another.

    Source: ``tf.keras.datasets.cifar100.load_data``.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    archive = "cifar-100-python", "cifar-100-python.tar.gz", _HASH
    train, test = (load_batches(*archive, [name], f"{label_mode}_labels") for name in ("train", "test"))
    return train, test


__getattr__, __dir__ = namespace(__name__)
