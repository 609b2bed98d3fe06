"""Graphs, nodes and sessions: what is computed later, and when."""
