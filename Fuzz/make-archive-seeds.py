#!/usr/bin/env python3
"""Makes the seeds of ArchiveFuzzer.swift in seeds/archive/ beside this file; the same ones each time."""

import io
import pathlib
import tarfile
import zipfile

TAR, SEALED, ZIP = b"\0\x10", b"\1\xff", b"\2\0"


def tar(format, *entries):
  file = io.BytesIO()
  with tarfile.open(fileobj=file, mode="w", format=format) as archive:
    for name, content, kind in entries:
      info = tarfile.TarInfo(name)
      info.size, info.type = len(content), kind
      archive.addfile(info, io.BytesIO(content))
  # Without what fills the last record.
  return file.getvalue().rstrip(b"\0") + bytes(1024)


def zip(comment, *entries, wide=False):
  file = io.BytesIO()
  with zipfile.ZipFile(file, "w") as archive:
    for name, content in entries:
      with archive.open(zipfile.ZipInfo(name), "w", force_zip64=wide) as entry: entry.write(content)
    archive.comment = comment
  return file.getvalue()


ENTRIES = [("a.sqlite", b"SQLite format 3\0", tarfile.REGTYPE), ("d", b"", tarfile.DIRTYPE), ("l", b"", tarfile.SYMTYPE)]
LONG = [("n" * 200, b"text", tarfile.REGTYPE), ("p" * 90 + "/" + "q" * 90, b"", tarfile.REGTYPE)]
SEEDS = {
  "tar-gnu": TAR + tar(tarfile.GNU_FORMAT, *ENTRIES),
  "tar-gnu-long": SEALED + tar(tarfile.GNU_FORMAT, *LONG),
  "tar-ustar": SEALED + tar(tarfile.USTAR_FORMAT, *ENTRIES, LONG[1]),
  "zip": ZIP + zip(b"", ("a.sqlite", b"SQLite format 3\0"), ("b", b"")),
  "zip-comment": ZIP + zip(b"PK\5\6", ("a", b"text")),
  "zip-wide": ZIP + zip(b"", ("a", b"text"), wide=True),
}

folder = pathlib.Path(__file__).parent / "seeds" / "archive"
folder.mkdir(parents=True, exist_ok=True)
for name, seed in SEEDS.items(): (folder / name).write_bytes(seed)
