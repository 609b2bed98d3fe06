"""Benchmarks: `python -m bench` times every case and rewrites the tables and plots that its figures go into."""
