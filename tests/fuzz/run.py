"""A coverage-guided run over each parser: `python -m tests.fuzz.run --minutes 10 [PARSER ...]`.

It needs `atheris`, which is no dependency of anything here: `pip install atheris`. Each parser runs in a process of its own.
What raises is written to `tests/fuzz/crashes`, where `test_crashes.py` reads it again; the inputs that reach new code are
kept in `--corpus`, so that a later run goes on from there.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

from tests.fuzz import parsers, shapes

CRASHES = Path(__file__).parent / "crashes"
SECONDS = 2
"""What an input may take. Instrumented, and beside other programs, it takes many times as long: libFuzzer waits for that."""


def main() -> int:
    options = _options()
    if options.only:
        _fuzz(options.only, options.corpus / options.only, options.minutes)
    failed = [name for name in options.parsers or parsers.PARSERS if not _ran(name, options)]
    print("failed: " + ", ".join(failed) if failed else "all parsers ran without a crash")  # noqa: T201 - a script
    return bool(failed)


def _options() -> argparse.Namespace:
    read = argparse.ArgumentParser(description=__doc__)
    read.add_argument("parsers", nargs="*", help=f"of {', '.join(parsers.PARSERS)}; all where none is named")
    read.add_argument("--minutes", type=float, default=10.0, help="for each parser")
    read.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"))
    read.add_argument("--only", help=argparse.SUPPRESS)
    return read.parse_args()


def _ran(name: str, options: argparse.Namespace) -> bool:
    """Runs one parser, and prints its figures. False where it crashed."""
    given = ["--minutes", str(options.minutes), "--corpus", str(options.corpus), "--only", name]
    command = [sys.executable, "-m", "tests.fuzz.run", *given]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    told = re.findall(r"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)", done.stderr)
    runs = re.search(r"Done (\d+) runs in (\d+) second", done.stderr)
    last = told[-1] if told else ("0",) * 4
    count = runs[1] if runs else last[0]
    print(f"{name}: {count} inputs, coverage {last[1]}, features {last[2]}, kept {last[3]}", flush=True)  # noqa: T201
    if done.returncode:
        print(done.stderr[-4000:], flush=True)  # noqa: T201
    return done.returncode == 0


def _fuzz(name: str, corpus: Path, minutes: float) -> None:
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    parser = parsers.PARSERS[name]
    atheris.instrument_all()
    corpus.mkdir(parents=True, exist_ok=True)
    CRASHES.mkdir(exist_ok=True)
    for number, text in enumerate(shapes.many(parser.shape, 300)):
        (corpus / f"seed{number}").write_bytes(text.encode("utf-8", "surrogatepass"))

    def one(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        parser.read([text] * 2 if name == "adopt" else [text])

    limits = [f"-max_total_time={int(minutes * 60)}", f"-timeout={SECONDS * 30}", "-max_len=4096", "-rss_limit_mb=3000"]
    words = _dictionary(corpus.parent / f"{name}.dict")
    prefix = f"-artifact_prefix={CRASHES}/{name}-"
    atheris.Setup([sys.argv[0], str(corpus), *limits, prefix, f"-dict={words}"], one)
    atheris.Fuzz()


def _dictionary(file: Path) -> Path:
    """The signs of all languages, for libFuzzer to put in."""
    signs = [
        *shapes.MARKDOWN_SIGNS,
        *shapes.YAML_SIGNS,
        *shapes.TEMPLATE_SIGNS,
        *shapes.JSON_SIGNS,
        *shapes.COMMENT_SIGNS,
    ]
    escaped = (
        "".join(f"\\x{byte:02x}" for byte in sign.encode("utf-8", "replace")) for sign in signs if len(sign) < 60
    )
    file.write_text("".join(f'"{sign}"\n' for sign in dict.fromkeys(escaped)), encoding="ascii")
    return file


if __name__ == "__main__":
    sys.exit(main())
