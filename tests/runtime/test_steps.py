"""Steps: what each does, what it writes into the log, what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from rulesdata_runtime.errors import BadInput, LimitReached, NeedsAnswer, NotAllowed, RulesError, UnknownName
from rulesdata_runtime.play.play import Question

from .artifacts import apply, change, f, ref, say
from .play_artifacts import field, let, remove, roll, roll_on, rules, run, step, steps, when, whole, with_

R = rules()


def hero(made: Any, **given: Any) -> Any:
    return made.character(**{"Strength": 3, "Will": 4, **given})


def texts(outcome: Any) -> list[str]:
    return [entry.text for entry in outcome.log]


def test_change_clamps_and_what_is_too_much_goes_on() -> None:
    made = steps(change("add", "wounds", 12), let("more", "overflow(wounds)"), results=[["more", f("more")]])
    out = made.run("go", hero(made))
    assert (out.character.tracks["wounds"], out.character.tracks["beyond"], out.results["more"]) == (10, 2, 2)
    first, second = out.log[:2]
    assert (first.step, first.before, first.after, first.place) == ("add", 0, 10, "rules.yaml:1:1")
    assert (second.step, second.text) == ("over", "Beyond 0 → 2")


def test_several_tracks_of_one_step_change_in_written_order() -> None:
    made = steps(step("change", verb="add", tracks=[[ref("strain"), 2], [ref("wounds"), f("strain")]]))
    assert made.run("go", hero(made)).character.tracks["wounds"] == 2


def test_a_track_that_refuses_names_its_limit_and_the_place() -> None:
    made = steps(change("add", "lamps", 7))
    with pytest.raises(NotAllowed, match=r"^rules.yaml:1:1: Lamps is 3 and would become 10, but the most is 9"):
        made.run("go", hero(made))


def test_the_given_character_does_not_change() -> None:
    made = steps(change("add", "wounds", 2))
    given = hero(made)
    assert made.run("go", given).character.tracks["wounds"] == 2
    assert "wounds" not in given.tracks


def test_a_let_is_drawn_once_and_gone_after_its_list() -> None:
    made = steps(
        let("die", "sum(d(1, 6))"),
        when("die > 2", let("inner", "die * 10"), change("add", "wounds", f("die"))),
        change("add", "strain", f("die")),
        results=[["inner", f("inner")]],
    )
    with pytest.raises(UnknownName, match="inner"):
        made.run("go", hero(made), dice=[3])


def test_a_guarded_step_and_the_branches_of_when() -> None:
    made = steps(
        {**change("add", "wounds", 1), "when": f("Strength > 9")},
        when("Strength > 2", say("strong"), else_=[say("weak")]),
        when("Strength > 3", say("stronger"), else_=[say("not so strong")]),
    )
    out = made.run("go", hero(made))
    assert texts(out) == ["strong", "not so strong"]
    assert "wounds" not in out.character.tracks


def test_repeat_counts_rounds_and_has_a_limit() -> None:
    made = steps(step("repeat", times=f("n"), do=[change("add", "wounds", 1)]), params=[whole("n", -1, 2000)])
    assert made.run("go", hero(made), n=4).character.tracks["wounds"] == 4
    with pytest.raises(LimitReached, match="at most 1,000"):
        made.run("go", hero(made), n=1001)
    with pytest.raises(BadInput, match="less than nothing"):
        made.run("go", hero(made), n=-1)


def test_each_trait_reads_and_changes_the_tracks_of_what_is_worn() -> None:
    made = steps(step("each_trait", tag="worn", do=[change("subtract", "trait.sp", f("1 if trait.sp > 4 else 4"))]))
    out = made.run("go", hero(made, traits=["vest", "hood"]))
    assert [(one.id, one.tracks["sp"]) for one in out.character.traits] == [("vest", 10), ("hood", 0)]
    assert texts(out) == ["Vest, sp 11 → 10", "Hood, sp 4 → 0"]


def test_apply_says_level_time_and_what_was_there() -> None:
    made = steps(
        apply("weary", level=2),
        apply("weary", level=5),
        apply("dazed", for_=3),
        apply("cut"),
        apply("cut"),
        apply("slowed", **{"with": [["by", 2]]}),
    )
    out = made.run("go", hero(made))
    assert texts(out) == [
        "Weary (level 2)",
        "Weary (level 3)",
        "Dazed (3 turn)",
        "Cut",
        "Cut: already there",
        "Slowed (by 2)",
    ]
    assert [(entry.before, entry.after) for entry in out.log[:2]] == [(0, 2), (2, 3)]


def test_remove_a_level_the_whole_and_what_is_not_there() -> None:
    made = steps(remove("weary", level=1), remove("weary"), remove("weary"))
    out = made.run("go", hero(made, conditions=[{"weary": 3}]))
    assert texts(out) == ["Weary falls to level 2", "Weary ends", "Weary: not there"]
    assert out.character.conditions == ()


def test_a_parameter_may_name_the_condition_or_the_track() -> None:
    made = steps(
        step("remove", ref=ref("injury", chosen=True)),
        step("change", verb="add", tracks=[[ref("what", chosen=True), 2]]),
        params=[
            {"name": "injury", "type": "condition", "of": ["wound"]},
            {"name": "what", "type": "track", "of": ["wounds", "strain"]},
        ],
    )
    out = made.run("go", hero(made, conditions=["cut", "burn"]), injury="burn", what="strain")
    assert [one.id for one in out.character.conditions] == ["cut"]
    assert out.character.tracks["strain"] == 2
    with pytest.raises(RulesError, match="weary"):
        made.run("go", hero(made), injury="weary", what="strain")


def test_conditions_that_come_by_themselves_do_their_entry_at_once() -> None:
    made = steps(change("add", "wounds", 6), let("now", "strain"), results=[["now", f("now")]])
    out = made.run("go", hero(made))
    assert out.results["now"] == 1
    assert texts(out) == ["Wounds 0 → 6", "Crushed comes", "Down", "Strain 0 → 1"]


def test_an_event_ends_what_waits_for_it() -> None:
    made = steps(step("event", event="treated"))
    out = made.run("go", hero(made, conditions=["hidden", "cut"]))
    assert [one.id for one in out.character.conditions] == ["cut"]


def test_stop_ends_the_innermost_run_and_results_not_reached_are_no_values() -> None:
    made = rules(
        {
            "inner": {
                "title": "Inner",
                "steps": [let("a", "1"), step("stop", text=["No ", {"code": f("Strength"), "said": "Strength"}])],
                "results": [["a", f("a")], ["b", f("b")]],
            },
            "go": {"title": "Go", "steps": [run("inner", as_="x"), say("after")], "results": [["a", field("x", "a")]]},
            "bad": {"title": "Bad", "steps": [run("inner", as_="x")], "results": [["b", field("x", "b")]]},
        }
    )
    out = made.run("go", hero(made))
    assert (texts(out), out.results, out.stopped) == (["No 3", "after"], {"a": 1}, None)
    assert made.run("inner", hero(made)).stopped == "No 3"
    with pytest.raises(UnknownName, match=r"x has no b|Inner was stopped before it came to b"):
        made.run("bad", hero(made))


# --- answers ---------------------------------------------------------------------------------------------------


CHOOSE = step(
    "choose",
    name="way",
    title="Which way",
    options=[
        {"id": "run", "title": "Run away", "steps": [say("ran")]},
        {"id": "fight", "when": f("Strength > 3"), "steps": [say("fought")]},
        {"id": "hide", "steps": [say("hid"), let("x", "1")]},
    ],
)


def test_a_choice_not_made_lists_what_is_possible_now() -> None:
    made = steps(CHOOSE)
    with pytest.raises(NeedsAnswer) as problem:
        made.run("go", hero(made))
    assert str(problem.value).endswith("Which way: choose one of run (Run away), hide; answer with way=...")
    assert texts(made.run("go", hero(made), way="hide")) == ["Which way: hide", "hid"]
    assert texts(made.run("go", hero(made), choices={"way": "run"})) == ["Which way: Run away", "ran"]


def test_an_option_that_is_closed_or_unknown_is_refused() -> None:
    made = steps(CHOOSE)
    with pytest.raises(BadInput, match="fight is not open now"):
        made.run("go", hero(made), way="fight")
    with pytest.raises(BadInput, match="Did you mean hide"):
        made.run("go", hero(made), way="hid")
    with pytest.raises(UnknownName, match="Did you mean way"):
        made.run("go", hero(made), wya="run")


def test_a_choice_may_be_asked_for() -> None:
    asked = []

    def ask(question: Question) -> str:
        asked.append((question.id, question.kind, [option for option, _ in question.options]))
        return "run"

    made = steps(CHOOSE)
    assert texts(made.run("go", hero(made), ask=ask))[-1] == "ran"
    assert asked == [("way", "choice", ["run", "hide"])]


def test_a_list_answers_one_asking_after_the_other() -> None:
    made = steps(step("repeat", times=2, do=[CHOOSE]))
    assert texts(made.run("go", hero(made), way=["run", "hide"]))[1::2] == ["ran", "hid"]
    with pytest.raises(BadInput, match=r"^way was asked 2 times; left over: run$"):
        made.run("go", hero(made), way=["run", "hide", "run"])
    assert texts(made.run("go", hero(made), way="run"))[1::2] == ["ran", "ran"]
    with pytest.raises(NeedsAnswer, match="answered once, and asked again"):
        made.run("go", hero(made), way=["run"])


ASK = step(
    "ask",
    specs=[whole("spent", 0, f("Luck"), title="Luck spent"), {"name": "brave", "type": "bool"}],
)


def test_a_question_is_typed_and_in_range() -> None:
    made = steps(ASK, results=[["spent", f("spent")], ["brave", f("brave")]])
    assert made.run("go", hero(made), spent="2", brave="yes").results == {"spent": 2, "brave": True}
    with pytest.raises(NeedsAnswer, match=r"Luck spent: wanted a whole number from 0 to 2; answer with spent"):
        made.run("go", hero(made), brave=True)
    with pytest.raises(BadInput, match="spent is from 0 to 2, not 3"):
        made.run("go", hero(made), spent=3, brave=True)
    with pytest.raises(BadInput, match="brave is yes or no"):
        made.run("go", hero(made), spent=1, brave=7)


# --- other rules -----------------------------------------------------------------------------------------------


def test_a_roll_leaves_its_results_under_its_name() -> None:
    made = steps(
        roll("check", "first", **{"with": with_(skill="Strength", dv="5")}),
        change("add", "wounds", ["if", field("first", "success"), field("first", "value"), 0]),
    )
    out = made.run("go", hero(made), dice=[4])
    assert out.character.tracks["wounds"] == 7
    assert out.log[0].text == "Check (skill 3, dv 5): 4; 7, success yes"


def test_roll_on_gives_the_row_and_its_columns() -> None:
    made = steps(
        roll_on("mishap", plus=1, **{"as": "m"}),
        results=[["row", field("m", "row")], ["bad", field("m", "how_bad")], ["total", field("m", "total")]],
    )
    out = made.run("go", hero(made), dice=[3])
    assert out.results == {"row": "stumble", "bad": "hard", "total": 4}
    assert out.character.tracks["strain"] == 2


def test_at_most_bounds_a_cycle_and_without_it_the_play_is_stopped() -> None:
    made = steps(roll_on("spiral"))
    out = made.run("go", hero(made), dice=[1, 1, 1])
    assert out.character.tracks["strain"] == 3
    assert texts(out)[-1] == "Spiral: not rolled on again, at most 2 times"
    made = steps(roll_on("endless"))
    with pytest.raises(LimitReached, match="call each other more than"):
        made.run("go", hero(made), dice=7)


def test_steps_nested_too_deeply_are_a_limit_and_no_crash() -> None:
    inner = say("deep")
    for _ in range(600):
        inner = when("Strength > 0", inner)
    with pytest.raises(LimitReached, match="deeper than can be followed"):
        steps(inner).run("go", R.character(Strength=3))


def test_a_step_budget_names_itself() -> None:
    made = steps(step("repeat", times=1000, do=[step("repeat", times=1000, do=[let("x", "1")])]))
    with pytest.raises(LimitReached, match="100,000 steps"):
        made.run("go", hero(made))


def test_run_passes_roles_parameters_and_results() -> None:
    made = rules(
        {
            "hurt": {
                "title": "Hurt",
                "roles": [["who", ""], ["by", ""]],
                "params": [whole("amount", 0, 9)],
                "steps": [change("add", "who.wounds", f("amount")), change("add", "by.strain", f("wounds"))],
                "results": [["left", f("boxes - wounds")]],
            },
            "duel": {
                "title": "Duel",
                "roles": [["one", ""], ["other", ""]],
                "steps": [
                    run("hurt", as_="x", roles=[["who", "other"], ["by", "one"]], **{"with": with_(amount="Strength")}),
                    run("hurt", to="one", roles=[["by", "other"]], **{"with": with_(amount="1")}),
                    say("over"),
                ],
                "results": [["left", field("x", "left")], ["same", ["same", "one", "other"]]],
            },
        }
    )
    one, other = hero(made, Strength=4), hero(made, Strength=2)
    out = made.run("duel", one, other)
    assert {role: dict(c.tracks)["wounds"] for role, c in out.characters.items()} == {"one": 1, "other": 4}
    assert {role: dict(c.tracks)["strain"] for role, c in out.characters.items()} == {"one": 4, "other": 1}
    assert out.results == {"left": 5, "same": False}
    assert out.character is out.characters["one"]
    assert {entry.who for entry in out.log} == {"one", "other"}
    assert made.run("duel", one=one, other=one).results["same"] is True
    with pytest.raises(BadInput, match="Duel needs a character for other"):
        made.run("duel", one)


def test_a_track_of_the_table_belongs_to_everybody() -> None:
    made = rules(
        {
            "pay": {
                "title": "Pay",
                "roles": [["a", ""], ["b", ""]],
                "steps": [change("subtract", "story", 2)],
                "results": [["left", ["of", "b", "story"]]],
            }
        }
    )
    out = made.run("pay", hero(made), hero(made))
    assert out.results == {"left": 3}
    again = made.run("pay", hero(made), hero(made), table=out.table)
    assert again.results == {"left": 1}


def test_requirements_are_refusals_with_their_words() -> None:
    made = steps(say("done"), requires=[{"that": f("wounds < 3"), "else": "Too hurt"}])
    assert texts(made.run("go", hero(made))) == ["done"]
    with pytest.raises(NotAllowed, match="Go: Too hurt"):
        made.run("go", hero(made, wounds=3))


def test_dice_by_hand_must_all_be_used() -> None:
    made = steps(let("x", "sum(d(2, 6))"))
    with pytest.raises(BadInput, match="left over"):
        made.run("go", hero(made), dice=[1, 2, 3])
    with pytest.raises(BadInput, match="needed"):
        made.run("go", hero(made), dice=[1])


def test_unknown_procedures_roles_and_names_say_what_there_is() -> None:
    made = steps(say("x"), params=[whole("amount", 0, 5)])
    with pytest.raises(UnknownName, match=r"there is no procedure goo.* Did you mean go"):
        made.run("goo")
    with pytest.raises(UnknownName, match=r"Go has no amuont; it takes amount. Did you mean amount"):
        made.run("go", hero(made), amuont=1)
    with pytest.raises(BadInput, match=r"Go needs amount \(a whole number\)"):
        made.run("go", hero(made))
    with pytest.raises(BadInput, match="amount of Go is from 0 to 5, not 9"):
        made.run("go", hero(made), amount=9)


def test_values_given_by_name_make_the_character() -> None:
    made = steps(change("add", "wounds", f("Strength")))
    out = made.run("go", Strength=2, Will=3, wounds=1, conditions="weary: 2")
    assert out.character.tracks["wounds"] == 3
    assert out.character.conditions[0].level == 2


def test_outcomes_as_json() -> None:
    made = steps(change("add", "wounds", 1), results=[["half", f("frac(1, 2)")]])
    shape = made.run("go", hero(made)).to_json()
    assert shape["results"] == {"half": "1/2"}
    assert shape["log"][0] == {
        "rule": "go",
        "step": "add",
        "text": "Wounds 0 → 1",
        "place": "rules.yaml:1:1",
        "before": 0,
        "after": 1,
    }
    assert shape["character"]["tracks"]["wounds"] == 1
