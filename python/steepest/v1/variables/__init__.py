"""Variables of graphs and of eager mode: how they are made, shared by name, cut into parts, and changed."""
