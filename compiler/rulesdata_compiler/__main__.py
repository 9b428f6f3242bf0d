"""`python -m rulesdata_compiler` is `rulesdata`."""

from rulesdata.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main())
