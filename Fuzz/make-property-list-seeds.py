#!/usr/bin/env python3
"""Makes the seeds of PropertyListFuzzer.swift in seeds/propertylist/ beside this file; the same ones each time."""

import datetime
import pathlib
import plistlib
import zlib

LIST, ARCHIVE, DEFLATED = b"\0", b"\1", b"\2"
BINARY, XML = plistlib.FMT_BINARY, plistlib.FMT_XML
UID = plistlib.UID


def archive(*objects):
  return {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": UID(1)}, "$objects": ["$null", *objects]}


def class_object(*names):
  return {"$classname": names[0], "$classes": list(names)}


def raw(*objects):
  """A binary list of objects given byte by byte, with references of one byte."""
  body, offsets = b"bplist00", []
  for item in objects:
    offsets.append(len(body))
    body += item
  trailer = bytes([0, 0, 0, 0, 0, 0, 1, 1]) + b"".join(n.to_bytes(8, "big") for n in (len(objects), 0, len(body)))
  return body + bytes(offsets) + trailer


def spelt_out(value):
  """The same with UIDs as XML has them, which plistlib does not write."""
  if isinstance(value, UID):
    return {"CF$UID": value.data}
  if isinstance(value, dict):
    return {key: spelt_out(item) for key, item in value.items()}
  return [spelt_out(item) for item in value] if isinstance(value, list) else value


def deflate(data):
  packer = zlib.compressobj(9, zlib.DEFLATED, -15)
  return packer.compress(data) + packer.flush()


scalars = {
  "int": [0, -1, 256, 65536, 2**40, 2**64 - 1],
  "real": [0.5, -1e300],
  "text": ["", "ascii", "Gr\u00fc\u00dfe", "x" * 20],
  "data": b"\0\1\2",
  "date": datetime.datetime(2001, 1, 2, 3, 4, 5),
  "bool": [True, False],
}
model = archive(
  {"$class": UID(5), "NSEntities": UID(2), "NSFetchRequestTemplates": UID(0)},
  {"$class": UID(6), "NS.keys": [UID(3)], "NS.objects": [UID(4)]},
  "Note",
  {"$class": UID(7), "NSEntityName": UID(3), "NSManagedObjectModel": UID(1), "NSIsAbstract": True},
  class_object("NSManagedObjectModel", "NSObject"),
  class_object("NSMutableDictionary", "NSDictionary", "NSObject"),
  class_object("NSEntityDescription", "NSObject"),
)
known_keys = archive(
  {"$class": UID(6), "searchMapping": UID(2), "values": UID(4), "emptyToken": UID(5)},
  {"$class": UID(7), "keys": UID(3), "length": 2},
  {"$class": UID(8), "NS.objects": [UID(9), UID(10)]},
  {"$class": UID(8), "NS.objects": [UID(9), UID(5)]},
  "empty",
  class_object("NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"),
  class_object("NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"),
  class_object("NSArray", "NSObject"),
  "Author",
  "Book",
)
ordered = archive({"$class": UID(2), "NS.object.0": UID(3)}, class_object("NSOrderedSet", "NSObject"), "a")
strings = archive({"$class": UID(2), "NS.string": "a"}, class_object("NSMutableString", "NSString", "NSObject"))
date = archive({"$class": UID(2), "NS.time": 1.5}, class_object("NSDate", "NSObject"))

xml = b"""\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><!-- c --><dict><key>a&amp;&#65;</key><string><![CDATA[<]]>\r\n</string>
<key>CF$UID</key><integer>-0x1F</integer><key>r</key><real>nan</real></dict></plist>"""
uid_xml = b"<plist><dict><key>CF$UID</key><integer>1</integer></dict></plist>"

seeds = {
  "list-scalars-binary": LIST + plistlib.dumps(scalars, fmt=BINARY),
  "list-scalars-xml": LIST + plistlib.dumps(scalars, fmt=XML),
  "list-empty-binary": LIST + plistlib.dumps({}, fmt=BINARY),
  "list-nested-binary": LIST + plistlib.dumps([[[[{"a": {"b": []}}]]]], fmt=BINARY),
  "list-nested-xml": LIST + plistlib.dumps([[[[{"a": {"b": []}}]]]], fmt=XML),
  "list-xml-syntax": LIST + xml,
  "list-xml-uid": LIST + uid_xml,
  "list-cycle": LIST + raw(b"\xa1\0"),
  "list-shared": LIST + raw(*[bytes([0xA2, n, n]) for n in range(1, 13)], b"\x09"),
  "list-set-and-null": LIST + raw(b"\xc3\1\2\3", b"\x00", b"\xb0", b"\x87" + bytes(7) + b"\1"),
  "list-wide-integer": LIST + raw(b"\x14" + bytes(7) + b"\1" + bytes(8)),
  "list-surrogate": LIST + raw(b"\xd1\1\2", b"\x61\xd8\x3d", b"\x4f\x10\1\0"),
  "archive-model-binary": ARCHIVE + plistlib.dumps(model, fmt=BINARY),
  "archive-model-xml": ARCHIVE + plistlib.dumps(spelt_out(model), fmt=XML),
  "archive-known-keys": ARCHIVE + plistlib.dumps(known_keys, fmt=BINARY),
  "archive-ordered-set": ARCHIVE + plistlib.dumps(ordered, fmt=BINARY),
  "archive-string": ARCHIVE + plistlib.dumps(strings, fmt=BINARY),
  "archive-date": ARCHIVE + plistlib.dumps(date, fmt=BINARY),
  "deflated-model": DEFLATED + deflate(plistlib.dumps(model, fmt=BINARY)),
  "deflated-stored": DEFLATED + b"\x01\x02\x00\xfd\xffhi",
  "deflated-zeros": DEFLATED + deflate(bytes(100_000)),
}

folder = pathlib.Path(__file__).parent / "seeds" / "propertylist"
folder.mkdir(parents=True, exist_ok=True)
for name, data in seeds.items():
  (folder / name).write_bytes(data)
