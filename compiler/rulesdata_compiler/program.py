"""The `py` target: artifact and runtime in one file that runs and imports with nothing installed.

In: a sealed artifact. Out: the text of a Python file. The runtime's own modules travel as their source, each compiled
when it is first imported; the rules travel as the artifact's JSON, read as data and never evaluated.
"""

from __future__ import annotations

from importlib import resources

HEAD = '''\
#!/usr/bin/env python3
"""Rules of a tabletop game, ready to use: `python {name} --help`, or `import` this file and use `RULES`.

Made by rulesdata. It needs Python 3.11 or newer and nothing else.
"""
import importlib.abc
import importlib.machinery
import importlib.util
import sys

_MODULES = {{
{modules}}}
_ARTIFACT = {artifact}


class _Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the runtime from the texts above."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname in _MODULES:
            return importlib.util.spec_from_loader(fullname, self, is_package=self.is_package(fullname))
        return None

    def is_package(self, fullname):
        return fullname == "rulesdata_runtime"

    def get_source(self, fullname):
        return _MODULES[fullname]

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(compile(_MODULES[module.__name__], f"<{{module.__name__}}>", "exec", dont_inherit=True), module.__dict__)


if "rulesdata_runtime" not in sys.modules:
    sys.meta_path.insert(0, _Carried())


def _rules(system="", house=()):
    from rulesdata_runtime.artifact import open_artifact
    from rulesdata_runtime.rules import Rules

    return Rules(open_artifact(_ARTIFACT.encode("utf-8")))


def __getattr__(name):
    if name == "RULES":
        globals()["RULES"] = _rules()
        return globals()["RULES"]
    raise AttributeError(name)


if __name__ == "__main__":
    from rulesdata_runtime import cli

    raise SystemExit(cli.main(sys.argv[1:], load=_rules, carried=True))
'''


def program(artifact: bytes, name: str = "rules.py") -> bytes:
    """The whole Python file around an artifact."""
    folder = resources.files("rulesdata_runtime")
    modules = []
    for entry in sorted(folder.iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".py"):
            stem = entry.name.removesuffix(".py")
            full = "rulesdata_runtime" if stem == "__init__" else f"rulesdata_runtime.{stem}"
            modules.append(f"    {full!r}: {entry.read_text(encoding='utf-8')!r},\n")
    told = HEAD.format(name=name, modules="".join(modules), artifact=repr(artifact.decode("utf-8")))
    return told.encode("utf-8")
