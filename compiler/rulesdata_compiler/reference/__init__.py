"""The rules as pages for people."""
