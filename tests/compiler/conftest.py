"""Fixtures of the compiler's tests."""

from __future__ import annotations

import pytest

from rulesdata_compiler.reading import read


@pytest.fixture(params=["C", "Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each test runs with the C parser and, as on a machine without libyaml, with the plain Python one."""
    if request.param == "Python":
        monkeypatch.setattr(read, "C_PARSER", None)
    elif read.C_PARSER is None:
        pytest.skip("PyYAML has no C parser here")
    return str(request.param)
