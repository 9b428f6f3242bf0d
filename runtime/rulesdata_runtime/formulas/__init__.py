"""Compiled formulas and dice: exact numbers, two implementations, one node table."""
