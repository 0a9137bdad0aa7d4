#!/usr/bin/env python3
"""Audits a list of stores with Spark: `storedoctor audit` runs over parts of it in `mapInPandas`, wherever there are executors.

    examples/audit_spark.py MANIFEST PARTS [--master URL] [--parts N] [--storedoctor PROGRAM] [-- AUDIT OPTIONS]

MANIFEST is what `storedoctor audit --from` takes: a path on each line, or an object of JSON with `path` and `id`. The stores have
to be there on every executor, by absolute paths. The program is that of the Python wheel `storedoctor` where an executor has it
installed, or the one in its PATH. The lines go to the new folder PARTS, a file for each part; put them together with

    storedoctor audit --merge PARTS/part-*.txt --summary

A part whose executor dies is done again: Spark tries a task four times, and a file of PARTS is there whole or not at all.
Options of the gate (--fail-on, --min-migrates, --expect-version) are for the merged lines, not for a part.
"""

import argparse
import os
import subprocess
import sys

import pandas
from pyspark.sql import SparkSession


def main():
    options, audit_options = parse_arguments()
    # Executors on this machine have the same packages as this file.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable if options.master.startswith("local") else "python3")
    spark = SparkSession.builder.master(options.master).appName("storedoctor audit").getOrCreate()
    manifest = spark.read.text(options.manifest).where("trim(value) != ''").repartition(options.parts)
    audited = manifest.mapInPandas(auditor(options.storedoctor, audit_options), "line string")
    audited.write.text(options.parts_folder)
    spark.stop()


def parse_arguments():
    words = sys.argv[1:]
    place = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(description="Audit a list of stores with Spark.")
    parser.add_argument("manifest", help="the list of stores, as `storedoctor audit --from` takes it")
    parser.add_argument("parts_folder", metavar="parts", help="the new folder for the lines of each part")
    parser.add_argument("--master", default="local[2,4]", help="the cluster; two threads of this machine unless said otherwise")
    parser.add_argument("--parts", type=int, default=8, help="parts of the list (8); several for each core")
    parser.add_argument("--storedoctor", help="the program, as executors find it; that of the wheel unless said otherwise")
    return parser.parse_args(words[:place]), words[place + 1 :]


def auditor(program, options):
    """What runs on an executor. It is made here, so that executors need no copy of this file."""

    def installed():
        try:
            import storedoctor
        except ImportError:
            return "storedoctor"
        return storedoctor.program()

    def audit(batches):
        for batch in batches:
            # One job: the cluster has a task for each core. The gate is for the merged lines.
            command = [program or installed(), "audit", "--from", "-", "--jobs", "1", "--quiet"]
            command += [*options, "--fail-on", "never"]
            manifest = "".join(f"{line}\n" for line in batch["value"])
            result = subprocess.run(command, input=manifest.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if result.returncode != 0:
                raise RuntimeError(f"storedoctor ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
            yield pandas.DataFrame({"line": result.stdout.decode().splitlines()})

    return audit


if __name__ == "__main__":
    main()
