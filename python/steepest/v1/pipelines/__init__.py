"""Pipelines of queues: what makes elements of arrays, and what makes batches of elements."""
