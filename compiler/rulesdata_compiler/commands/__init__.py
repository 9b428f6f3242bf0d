"""The commands for authors, one file a group."""
