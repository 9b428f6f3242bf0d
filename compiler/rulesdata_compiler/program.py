"""The `py` target: artifact and runtime in one file that runs and imports with nothing installed.

In: a sealed artifact. Out: the text of a Python file, the same bytes for the same artifact on the same Python. The
rules travel as the artifact's JSON, read as data and never evaluated. The runtime's modules travel as their source;
those that a value or a roll waits for also as Python compiled them, for Pythons of the kind that made the file: any
other compiles the source. Without that, a cold start is mostly the compiling of these modules.
"""

from __future__ import annotations

import marshal
import zlib
from binascii import b2a_base64
from importlib import resources
from importlib.util import MAGIC_NUMBER

HEAD = '''\
#!/usr/bin/env python3
"""Rules of a tabletop game, ready to use: `python {name} --help`, or `import` this file and use `RULES`.

Made by rulesdata. It needs Python 3.11 or newer and nothing else. _SOURCES holds the modules it runs on; _COMPILED the
same as compiled by Python {python}, which any other Python leaves aside.
"""
import sys
from binascii import a2b_base64
from zlib import decompress

try:
    from _frozen_importlib import ModuleSpec
    from _frozen_importlib_external import MAGIC_NUMBER
except ImportError:
    from importlib.machinery import ModuleSpec
    from importlib.util import MAGIC_NUMBER

_MAGIC = {magic}
_SOURCES = {sources}
_COMPILED = {{
{compiled}}}
_ARTIFACT = {artifact}


class _Carried:
    """Imports the runtime from the texts above."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "rulesdata_runtime" or fullname.startswith("rulesdata_runtime."):
            return ModuleSpec(fullname, self, origin="<" + fullname + ">", is_package=self.is_package(fullname))
        return None

    def is_package(self, fullname):
        return fullname == "rulesdata_runtime"

    def get_source(self, fullname):
        name = fullname.partition(".")[2] or "__init__"
        texts = decompress(a2b_base64(_SOURCES)).decode("utf-8").split("\\0")
        if name in texts[::2]:
            return texts[2 * texts[::2].index(name) + 1]
        raise ModuleNotFoundError("No module named " + repr(fullname), name=fullname)

    def get_code(self, fullname):
        if fullname in _COMPILED and MAGIC_NUMBER == _MAGIC:
            import marshal

            return marshal.loads(decompress(a2b_base64(_COMPILED[fullname])))
        return compile(self.get_source(fullname), "<" + fullname + ">", "exec", dont_inherit=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(self.get_code(module.__name__), module.__dict__)


if "rulesdata_runtime" not in sys.modules:
    sys.meta_path.insert(0, _Carried())


def _rules(system="", house=(), cache=True):
    from rulesdata_runtime.rules import Rules

    return Rules.open(_ARTIFACT)


def __getattr__(name):
    if name == "RULES":
        globals()["RULES"] = _rules()
        return globals()["RULES"]
    raise AttributeError(name)


if __name__ == "__main__":
    from rulesdata_runtime import cli

    cli.leave(cli.main(sys.argv[1:], load=_rules, carried=True))
'''

QUICK = frozenset(
    "__init__ arguments artifact bare bare_tables cli cli_commands code command_list dice errors generate "
    "intervals lean_json notation number_pools numbers operands pieces plainly plans pools quick rolled rules symbols "
    "told writer".split()
)
"""The modules that a cold `value` or `roll` imports; a test holds the list to what is imported."""


def program(artifact: bytes, name: str = "rules.py") -> bytes:
    """The whole Python file around an artifact."""
    import sys

    sources: list[bytes] = []
    compiled: list[str] = []
    for stem, source in sorted(_modules().items()):
        full = "rulesdata_runtime" if stem == "__init__" else f"rulesdata_runtime.{stem}"
        sources += [stem.encode(), source]
        if stem in QUICK:
            code = compile(source, f"<{full}>", "exec", dont_inherit=True, optimize=0)
            # Version 2 of the format: later ones write down how often an object happens to be referred to.
            compiled.append(f"    {full!r}: {_packed(marshal.dumps(code, 2))!r},\n")
    told = HEAD.format(
        name=name,
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        magic=repr(MAGIC_NUMBER),
        sources=repr(_packed(b"\0".join(sources))),
        compiled="".join(compiled),
        artifact=_literal(artifact.decode("utf-8")),
    )
    return told.encode("utf-8")


def _modules() -> dict[str, bytes]:
    """The runtime's sources by module, with `\\n` at line ends wherever they were installed."""
    folder = resources.files("rulesdata_runtime")
    return {
        entry.name.removesuffix(".py"): entry.read_text(encoding="utf-8").encode("utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".py")
    }


def _packed(data: bytes) -> str:
    return b2a_base64(zlib.compress(data, 9), newline=False).decode("ascii")


def _literal(text: str) -> str:
    """A text as Python source; a raw one where it can be, for it is read quicker."""
    plain = "'''" not in text and not text.endswith(("\\", "'")) and "\r" not in text and "\0" not in text
    return f"r'''{text}'''" if plain else repr(text)
