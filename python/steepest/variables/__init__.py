"""Variables, their names, scopes and collections."""
