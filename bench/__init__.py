"""Benchmarks: `python -m bench` times every case and rewrites the tables in bench/README.md."""
