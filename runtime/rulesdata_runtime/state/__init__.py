"""A character's state: values, modifiers, conditions, time, actions."""
