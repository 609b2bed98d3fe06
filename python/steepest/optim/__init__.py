"""Optimizers: what they hold, what they check, hooks, clipping, schedules."""
