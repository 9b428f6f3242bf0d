"""One mistake, one finding: what only follows from another mistake is taken out."""
