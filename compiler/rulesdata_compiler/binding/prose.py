"""Formulas in prose: `{formula}` in titles' texts, rulings, `say` and `stop`.

In: a template and its scope. Out: nothing but bound formulas. The one rule: prose never throws dice.
"""

from __future__ import annotations

from dataclasses import replace

from ..model import Formula, Template
from .scopes import Scope, Want
from .walk import slot
from .world import World


def prose(world: World, template: Template | None, scope: Scope) -> None:
    """Bind every formula of a text."""
    if template is None:
        return
    quiet = replace(scope, no_dice="a text is read more than once")
    for part in template.parts:
        if isinstance(part, Formula):
            slot(world, part, "prose", scope.rule, quiet, Want("scalar", f"`{{{part.text}}}`", none=True))
