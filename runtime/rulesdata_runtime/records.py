"""Plain classes of named values: what `dataclasses` gives, as far as the runtime needs it.

In: a class with annotated names. Out: the class with `__init__`, comparison, `repr`, and for frozen ones a hash and
refusal to change. One rule holds: a class behaves as the standard library's would; only loading is quicker, because
nothing is generated here, and that library's own imports take longer than a whole roll.
"""

# ruff: noqa: N807 - the methods are made here and put into classes

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    _put = object.__setattr__
    _NONE = object()

    class _Field:
        __slots__ = ("compare", "default", "factory", "repr")

        def __init__(self, default, factory, repr, compare):  # noqa: A002
            self.default = default
            self.factory = factory
            self.repr = repr
            self.compare = compare

    def field(*, default=_NONE, default_factory=_NONE, repr=True, compare=True):  # noqa: A002
        """A name whose default is made anew for each object, or that stays out of `repr` or comparison."""
        return _Field(default, default_factory, repr, compare)

    def replace(record, /, **changes):
        """The same values but for the changes."""
        cls = record.__class__
        made = object.__new__(cls)
        for name in cls.__match_args__:
            _put(made, name, changes.pop(name) if name in changes else getattr(record, name))
        if changes:
            raise TypeError(f"{cls.__name__} has no {', '.join(changes)}")
        return made

    def dataclass(*, frozen=False, slots=False):
        """A class of named values, decorated."""

        def make(cls):
            return _made(cls, frozen, slots)

        return make

    def _made(cls, frozen, slots):
        own = cls.__dict__
        names = tuple(cls.__annotations__)
        fields = {}
        for name in names:
            given = own.get(name, _NONE)
            fields[name] = given if isinstance(given, _Field) else _Field(given, _NONE, True, True)
        body = {
            key: value for key, value in own.items() if key not in fields and key not in ("__dict__", "__weakref__")
        }
        if slots:
            body["__slots__"] = names
        else:
            body.update({name: one.default for name, one in fields.items() if one.default is not _NONE})
        for key, value in _methods(fields, frozen).items():
            body.setdefault(key, value)
        if "__hash__" not in own:
            body["__hash__"] = _hash(fields) if frozen else None
        return type(cls)(cls.__name__, cls.__bases__, body)

    def _methods(fields, frozen):
        names = tuple(fields)
        shown = tuple(name for name, one in fields.items() if one.repr)
        compared = tuple(name for name, one in fields.items() if one.compare)
        defaults = {name: one for name, one in fields.items() if one.default is not _NONE or one.factory is not _NONE}

        def __init__(self, *args, **named):
            for name, value in zip(names, args):  # noqa: B905 - the rest is looked at below
                _put(self, name, value)
            count = len(args)
            for name in names[count:]:
                if name in named:
                    _put(self, name, named.pop(name))
                    continue
                default = defaults.get(name)
                if default is None:
                    raise TypeError(f"{type(self).__name__} needs {name}")
                _put(self, name, default.factory() if default.factory is not _NONE else default.default)
            if named or count > len(names):
                raise TypeError(f"{type(self).__name__} takes {', '.join(names)}, each once")

        def __repr__(self):
            told = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
            return f"{type(self).__qualname__}({told})"

        def __eq__(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return all(getattr(self, name) == getattr(other, name) for name in compared)

        def __getstate__(self):
            return [getattr(self, name) for name in names]

        def __setstate__(self, state):
            for name, value in zip(names, state, strict=True):
                _put(self, name, value)

        made = {one.__name__: one for one in (__init__, __repr__, __eq__, __getstate__, __setstate__)}
        made["__match_args__"] = names
        made["__replace__"] = replace
        if frozen:
            made["__setattr__"] = made["__delattr__"] = _refuse
        return made

    def _hash(fields):
        compared = tuple(name for name, one in fields.items() if one.compare)

        def __hash__(self):
            return hash(tuple(getattr(self, name) for name in compared))

        return __hash__

    def _refuse(self, name, value=None):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot change {name!r} of a {type(self).__name__}")
