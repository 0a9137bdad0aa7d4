#!/usr/bin/env python3
"""Audits a list of stores on a Dask cluster: `storedoctor audit` runs over parts of it, wherever there are workers.

    examples/audit_dask.py MANIFEST PARTS [--scheduler ADDRESS] [--workers N] [--part-size N] [-- AUDIT OPTIONS]

MANIFEST is what `storedoctor audit --from` takes: a path on each line, or an object of JSON with `path` and `id`. The
stores and the folder PARTS have to be there on every worker, by absolute paths (a shared file system, or an image with all of
them). The program is that of the Python wheel `storedoctor` where a worker has it installed, or the one in its PATH. The lines of each part go to a file of their own in PARTS; put them together with

    storedoctor audit --merge PARTS/*.jsonl --summary

A part whose worker dies is done again by another. Its file appears whole, by a rename, or not at all, so that no line
is lost and none is there twice. A part whose file is there is not done again: a run that was ended goes on where it was.
The file is named after what the part holds and how it is audited, so that another list or other options are never taken
for done. For those take another folder: what is in PARTS is merged whole.

Options of the gate (--fail-on, --min-migrates, --expect-version) are for the merged lines, not for a part.

Without --scheduler it starts a cluster of its own on this machine.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from distributed import Client, LocalCluster, as_completed


def main():
    options, audit_options = parse_arguments()
    parts = Path(options.parts)
    parts.mkdir(parents=True, exist_ok=True)
    lines = [line for line in Path(options.manifest).read_bytes().splitlines(keepends=True) if line.strip()]
    work = [b"".join(lines[start : start + options.part_size]) for start in range(0, len(lines), options.part_size)]
    with connect(options) as client:
        futures = [
            client.submit(audit, part, str(output), options.storedoctor, audit_options, key=output.name, retries=3)
            for part in work
            for output in [parts / f"{digest(part, audit_options)}.jsonl"]
        ]
        for done, future in enumerate(as_completed(futures), start=1):
            future.result()
            print(f"{done} of {len(futures)} parts", file=sys.stderr, flush=True)


def parse_arguments():
    own, _, audit_options = partition(sys.argv[1:], "--")
    parser = argparse.ArgumentParser(description="Audit a list of stores on a Dask cluster.")
    parser.add_argument("manifest", help="the list of stores, as `storedoctor audit --from` takes it")
    parser.add_argument("parts", help="the folder for the lines of each part")
    parser.add_argument("--scheduler", help="the cluster; one of its own on this machine unless said otherwise")
    parser.add_argument("--workers", type=int, default=2, help="processes of the cluster on this machine (2)")
    parser.add_argument("--part-size", type=int, default=500, help="stores a part (500)")
    parser.add_argument("--storedoctor", help="the program, as workers find it; that of the wheel unless said otherwise")
    return parser.parse_args(own), audit_options


def partition(words, separator):
    place = words.index(separator) if separator in words else len(words)
    return words[:place], words[place : place + 1], words[place + 1 :]


def digest(part, options):
    return hashlib.sha256(part + "\0".join(["", *options]).encode()).hexdigest()[:16]


def connect(options):
    if options.scheduler:
        return Client(options.scheduler)
    # Workers are processes of their own, so that one that is killed takes nothing else with it.
    cluster = LocalCluster(
        n_workers=options.workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="ERROR"
    )
    return Client(cluster)


def audit(part, output, program, options):
    """Runs on a worker: audits one part of the list and leaves its lines in `output`."""
    if os.path.exists(output):
        return
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(output), prefix=".part-", delete=False) as lines:
        # One job: the cluster has a worker for each core. The gate is for the merged lines.
        command = [program or installed(), "audit", "--from", "-", "--jobs", "1", "--quiet"]
        command += [*options, "--fail-on", "never"]
        result = subprocess.run(command, input=part, stdout=lines, stderr=subprocess.PIPE)
        lines.flush()
        os.fsync(lines.fileno())
    if result.returncode != 0:
        os.unlink(lines.name)
        raise RuntimeError(f"storedoctor ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
    os.rename(lines.name, output)


def installed():
    """The program of the wheel, or the one in PATH."""
    try:
        import storedoctor
    except ImportError:
        return "storedoctor"
    return storedoctor.program()


if __name__ == "__main__":
    main()
