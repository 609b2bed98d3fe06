"""The operations that tapes record: NumPy's own. Importing a file of rules declares its derivatives."""
