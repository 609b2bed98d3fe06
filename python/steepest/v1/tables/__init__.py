"""Lookup tables, and what fills them."""
