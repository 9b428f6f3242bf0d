"""The runtime: opens a checked artifact and answers with it. Standard library only."""
