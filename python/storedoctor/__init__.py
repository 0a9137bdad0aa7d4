"""Core Data and SwiftData stores: what is in them, what is wrong, their objects, and what was deleted.

Each function runs the program `storedoctor` and gives what it says as values. The whole document is in `document`, as
`storedoctor schema KIND` describes it.

    import storedoctor

    storedoctor.diagnose("Notes.sqlite", models=["Notes.momd"]).verdict
    pandas.DataFrame(storedoctor.rows("Notes.sqlite", "Note"))

The program is the one of the wheel, or the one that the environment variable STOREDOCTOR names, or the one in PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, Generator, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = [
    "AuditLine",
    "Diagnosis",
    "Entity",
    "Finding",
    "Inspection",
    "StoreDoctorError",
    "audit",
    "diagnose",
    "inspect",
    "program",
    "recover",
    "rows",
]

Path = Union[str, "os.PathLike[str]"]
Row = Dict[str, Any]


class StoreDoctorError(Exception):
    """The work could not be done: the message of the program, its exit status, and what was run."""

    def __init__(self, message: str, status: int, command: Sequence[str]) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.command = tuple(command)


@dataclass(frozen=True)
class Entity:
    """An entity of a store."""

    name: str
    rows: int
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Inspection:
    """What is in a store."""

    entities: Tuple[Entity, ...]
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a store."""

    id: str
    severity: str
    message: str
    count: int
    entity: Optional[str]
    property: Optional[str]
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a store, and whether the models open or migrate it. `skipped` was not checked."""

    verdict: str
    findings: Tuple[Finding, ...]
    skipped: Tuple[Mapping[str, Any], ...]
    document: Mapping[str, Any]


@dataclass(frozen=True)
class AuditLine:
    """One store of an audit; where it could not be read, `problem` says why and `verdict` is None."""

    path: Optional[str]
    verdict: Optional[str]
    problem: Optional[Mapping[str, Any]]
    document: Mapping[str, Any]


def program() -> str:
    """The program that is run."""
    named = os.environ.get("STOREDOCTOR")
    if named:
        return named
    own = os.path.join(sysconfig.get_path("scripts"), "storedoctor")
    found = own if os.access(own, os.X_OK) else shutil.which("storedoctor")
    if found is None:
        raise StoreDoctorError("storedoctor is not installed", 2, ["storedoctor"])
    return found


def inspect(path: Path, *, entities: Iterable[str] = (), show_values: bool = False) -> Inspection:
    """What is in a store."""
    options = [f"--entity={name}" for name in entities] + (["--show-values"] if show_values else [])
    document = _document("inspect", options, [path])
    found = tuple(Entity(e["name"], e.get("rows", 0), e) for e in document.get("entities", []))
    return Inspection(found, document)


def diagnose(path: Path, *, models: Iterable[Path] = (), show_values: bool = False) -> Diagnosis:
    """What is wrong with a store, and whether models open or migrate it."""
    options = _models(models) + (["--show-values"] if show_values else [])
    document = _document("diagnose", options, [path])
    findings = tuple(_finding(f) for f in document.get("findings", []))
    return Diagnosis(document["verdict"], findings, tuple(document.get("skipped", [])), document)


def rows(
    path: Path,
    entity: str,
    *,
    where: Optional[str] = None,
    columns: Optional[Iterable[str]] = None,
    limit: Optional[int] = None,
) -> Generator[Row, None, None]:
    """The objects of an entity, one after the other, as their app sees them; for pandas, Polars or DuckDB.

    Who wants no more of them closes it (`close()`), which ends the program.
    """
    options = [f"--where={where}"] if where is not None else []
    options += [f"--columns={','.join(columns)}"] if columns is not None else []
    options += [f"--limit={limit}"] if limit is not None else []
    return _lines("rows", options, [path, entity])


def audit(paths: Iterable[Path], *, models: Iterable[Path] = ()) -> Generator[AuditLine, None, None]:
    """Many stores, a line each; what cannot be read is a line too."""
    for line in _lines("audit", _models(models), list(paths), gate=True):
        # A line that says how the audit was made has no path.
        if "path" in line or "pathBytes" in line:
            diagnosis = line.get("diagnosis")
            verdict = line.get("verdict") or (diagnosis or {}).get("verdict")
            yield AuditLine(line.get("path"), verdict, line.get("problem") or line.get("error"), line)


def recover(path: Path) -> Generator[Row, None, None]:
    """What was deleted and can still be shown, a row each."""
    return _lines("recover", [], [path])


def _models(models: Iterable[Path]) -> List[str]:
    return [f"--model={os.fspath(model)}" for model in models]


def _finding(document: Mapping[str, Any]) -> Finding:
    return Finding(
        document["id"],
        document["severity"],
        document["message"],
        document.get("count", 0),
        document.get("entity"),
        document.get("property"),
        document,
    )


def _command(name: str, options: Sequence[str], format: str, arguments: Sequence[Path]) -> List[str]:
    return [program(), name, *options, f"--format={format}", "--", *(os.fspath(argument) for argument in arguments)]


def _document(name: str, options: Sequence[str], arguments: Sequence[Path]) -> Dict[str, Any]:
    command = _command(name, options, "json", arguments)
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    # 1 is an answer: there are findings at the gate.
    if run.returncode not in (0, 1):
        raise _error(run.stderr, run.returncode, command)
    document: Dict[str, Any] = json.loads(run.stdout)
    return document


def _lines(name: str, options: Sequence[str], arguments: Sequence[Path], gate: bool = False) -> Generator[Row, None, None]:
    command = _command(name, options, "jsonl", arguments)
    # Messages go to a file: a pipe that nobody reads would stop the program when full.
    with tempfile.TemporaryFile() as messages:
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages)
        try:
            assert run.stdout is not None
            for line in run.stdout:
                row: Row = json.loads(line)
                yield row
            status = run.wait()
        finally:
            # Where the caller has stopped early, nobody waits for the rest.
            if run.poll() is None:
                run.terminate()
            if run.stdout is not None:
                run.stdout.close()
            run.wait()
        if status not in ((0, 1) if gate else (0,)):
            messages.seek(0)
            raise _error(messages.read(), status, command)


def _error(messages: bytes, status: int, command: Sequence[str]) -> StoreDoctorError:
    text = messages.decode("utf-8", "replace").strip()
    prefix = "storedoctor: "
    return StoreDoctorError(text[len(prefix) :] if text.startswith(prefix) else text, status, command)
