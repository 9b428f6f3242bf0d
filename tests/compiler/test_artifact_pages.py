"""The pages of the codes that the runtime says: their examples are artifacts, and get these very words."""

from __future__ import annotations

import re

import pytest
from gallery import PAGES

from rulesdata_runtime.artifact import open_artifact
from rulesdata_runtime.errors import ArtifactError

PAGE = re.compile(
    r"## Bad\n```json file=rules.json\n(.*?)```\n## Says\n```text\n(.*?)\n```\n## Good\n.*?\n(.*?)```", re.S
)


@pytest.mark.parametrize("code", ["A901", "A902", "A903"])
def test_the_long_pages_tell_the_truth(code: str) -> None:
    found = PAGE.search((PAGES / f"{code}.md").read_text(encoding="utf-8"))
    assert found is not None
    bad, says, good = found.groups()
    with pytest.raises(ArtifactError) as caught:
        open_artifact(bad.encode())
    assert says == f"error[{caught.value.code}]: {caught.value.message}"
    assert open_artifact(good.encode())["rules"]
