"""Properties, by hypothesis; `formulas.py` has strategies that other tests may use."""
