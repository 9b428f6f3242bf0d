"""Play: steps, rolls, tables, spends, bands, order."""
