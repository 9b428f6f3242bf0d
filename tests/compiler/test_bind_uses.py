"""What binding hands on: order, uses, names nobody reads, broken rules; and that size does not matter."""

# ruff: noqa: E501 - cases read best on a line each

from __future__ import annotations

from itertools import pairwise

from rulesdata_compiler.binding.bind import Bindings
from rulesdata_compiler.binding.order import Hop, components, find_order
from rulesdata_compiler.binding.values import Numbers
from rulesdata_compiler.source import Source, Span

from .systems import bound, told

NOWHERE = Span(Source("x.yaml", "x"), 0, 1)


def clean(text: str) -> Bindings:
    _, bindings, findings = bound(text)
    assert [told(finding) for finding in findings] == []
    return bindings


def test_derived_values_come_after_what_they_read() -> None:
    bindings = clean(
        """
        stats: {Force: {type: int, min: 1, max: 6}}
        tracks: {charge: {max: b}}
        derived: {a: {formula: charge + 1}, b: {formula: c}, c: {formula: Force}, d: {formula: 'lookup(t, 2)'}}
        tables: {t: {by: n, value: int, rows: {1-9: a}}}
        """
    )
    assert bindings.order == ("c", "b", "a", "d")
    assert bindings.values["d"].value == Numbers(1, 7)


def test_every_use_is_recorded_once_for_all() -> None:
    bindings = clean(
        """
        stats: {Force: {type: int, min: 1, max: 6}}
        tracks: {charge: {max: Force, resets: {each: day, to: 0}}}
        options: {deep: {default: off}}
        conditions: {lit: {stacking: ignore, ends: mended, tags: [light], modifiers: [{value: guard, add: 1, stack: best}]}}
        derived: {guard: {formula: carried(light), source: book}}
        rolls: {try: {params: {n: {type: int, min: 0, max: 9}}, value: n, tags: [test]}}
        procedures:
          p:
            steps:
              - {roll: try, as: made, with: {n: Force}}
              - {apply: lit, when: option(deep)}
              - add: {charge: 1}
              - {run: q, when: has(lit)}
          q: {steps: [{event: mended}]}
        """
    )
    uses = {(use.rule_id, use.target_id, use.how) for use in bindings.uses}
    assert uses == {
        ("charge", "Force", "read"),
        ("charge", "day", "unit"),
        ("lit", "mended", "event"),
        ("lit", "guard", "modifies"),
        ("lit", "best", "stacking"),
        ("guard", "light", "tag"),
        ("guard", "book", "source"),
        ("p", "try", "roll"),
        ("p", "Force", "read"),
        ("p", "deep", "option"),
        ("p", "lit", "apply"),
        ("p", "lit", "has"),
        ("p", "charge", "change"),
        ("p", "q", "run"),
        ("q", "mended", "event"),
    }
    assert bindings.refs(("run", "roll")) == {
        "p": {use.target_id: use for use in bindings.uses if use.how in ("run", "roll")}
    }
    first = next(use for use in bindings.uses if use.how == "roll")
    assert first.span.text == "try"


def test_names_that_nothing_reads() -> None:
    bindings = clean(
        """
        tracks: {charge: {max: 10}}
        rolls: {try: {params: {n: {type: int}, m: {type: int}}, let: {a: 1d6, b: 2d6}, value: a + n, results: {r: value > 2}}}
        procedures:
          p:
            params: {k: {type: int, min: 0, max: 3}}
            steps:
              - let: {c: 1, d: 2}
              - {roll: try, as: made, with: {n: 1, m: 2}}
              - add: {charge: c}
        """
    )
    unread = {(name.rule_id, name.name, name.what) for name in bindings.names if not name.read}
    assert unread == {
        ("try", "m", "parameter"),
        ("try", "b", "let"),
        ("p", "k", "parameter"),
        ("p", "d", "let"),
        ("p", "made", "result"),
    }


def test_what_a_broken_rule_breaks() -> None:
    """A rule with a mistake, and what reads it, have no bindings; the rest has."""
    _, bindings, findings = bound(
        """
        stats: {Force: {type: int, min: 1, max: 6}}
        derived: {a: {formula: Forse}, b: {formula: a + 1}, c: {formula: Force}}
        procedures:
          p: {results: {n: a}, steps: []}
          q: {steps: [{run: p, as: got}, {say: '{got.n}'}]}
          r: {steps: [{say: '{c}'}]}
        """
    )
    assert [told(finding) for finding in findings] == ["N401 there is no `Forse` here @Forse → did you mean Force?"]
    assert bindings.broken == {"a", "b", "p", "q"}
    assert {formula.text for formula in bindings.of if formula.text in "abc"} == {"c"}
    assert "c" in bindings.values
    assert "b" not in bindings.values


def test_a_long_chain_needs_no_depth() -> None:
    """Thousands of values, each read by the next, whichever way round they are named."""
    for name in ("a{:05}", "a{:05}x"):
        rules = {name.format(99_999 - place if "x" in name else place): place for place in range(3_000)}
        names = list(rules)
        lines = [f"  {names[0]}: {{formula: Force}}"]
        lines += [f"  {after}: {{formula: {before} + 1}}" for before, after in pairwise(names)]
        bindings = clean("stats: {Force: {type: int, min: 1, max: 6}}\nderived:\n" + "\n".join(lines))
        assert bindings.values[names[-1]].value == Numbers(3_000, 3_005)
        assert bindings.order == tuple(names)


def test_a_large_system_in_good_time() -> None:
    lines = [f"  a{place}: {{formula: 'max(0, Force - {place}) + ceil(charge / 2)'}}" for place in range(4_000)]
    text = "stats: {Force: {type: int, min: 1, max: 6}}\ntracks: {charge: {max: 9}}\nderived:\n" + "\n".join(lines)
    assert len(clean(text).of) == 4_000 + 3


# --- order -------------------------------------------------------------------------------------------------------


def edges(*pairs: str) -> dict[str, list[Hop]]:
    found: dict[str, list[Hop]] = {}
    for pair in pairs:
        reader, target = pair.split(">")
        found.setdefault(reader, []).append(Hop(reader, target, NOWHERE, ""))
    return found


def ways(*pairs: str) -> list[str]:
    """Each circle as the nodes it passes."""
    return ["".join(edge.reader for edge in circle) for circle in find_order(edges(*pairs)).circles]


def test_order_and_circles() -> None:
    assert find_order(edges("a>b", "b>c", "a>c")).order == ("c", "b", "a")
    assert ways("a>b", "b>c", "c>d") == []
    assert ways("a>a") == ["a"]
    assert ways("b>a", "a>b") == ["ab"]
    assert ways("a>b", "b>c", "c>a", "c>b") == ["abc"]
    assert ways("a>b", "b>a", "c>d", "d>c", "b>c") == ["ab", "cd"]
    assert find_order(edges("a>b", "b>a", "c>a")).members == {"a", "b"}


def test_a_circle_of_any_length() -> None:
    pairs = [f"n{place:05}>n{(place + 1) % 5_000:05}" for place in range(5_000)]
    (circle,) = find_order(edges(*pairs)).circles
    assert len(circle) == 5_000
    assert len(list(components(edges(*pairs)))) == 1
