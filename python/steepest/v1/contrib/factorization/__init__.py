"""``tf.contrib.factorization``: k-means clustering, and factors of matrices of which few elements are known."""

from ...graph.missing import namespace
from .clustering import (
    COSINE_DISTANCE,
    KMC2_INIT,
    KMEANS_PLUS_PLUS_INIT,
    RANDOM_INIT,
    SQUARED_EUCLIDEAN_DISTANCE,
    KMeans,
)
from .wals import WALSModel

__all__ = [
    "COSINE_DISTANCE",
    "KMC2_INIT",
    "KMEANS_PLUS_PLUS_INIT",
    "RANDOM_INIT",
    "SQUARED_EUCLIDEAN_DISTANCE",
    "KMeans",
    "WALSModel",
]

__getattr__, __dir__ = namespace(__name__, "clustering_ops factorization_ops")
