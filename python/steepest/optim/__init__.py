"""Optimizers: what they hold, what they check, hooks, clipping, schedules; each family of rules has a file."""
