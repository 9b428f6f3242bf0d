"""What every formula means: its names, its type, its bounds and its code."""
