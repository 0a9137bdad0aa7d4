"""Looks for values of stores in their anonymised copies, by sqlite3, plistlib and zlib alone.

    independent_search.py < PAIRS

PAIRS has lines STORE<tab>COPY<tab>KEPT, where STORE is a copy of a store with its log, which may be written to, and KEPT names
columns that stay, as TABLE.COLUMN with commas. Prints a line of JSON for each pair: how many runs the values have, and those
that are in the copy. Nothing of storedoctor is used.

A run is six bytes with ASCII letters in lower case, of which three differ and three are letters, digits other than 0, or beyond
ASCII and no punctuation; of texts also six units of UTF-16 in either byte order. Not counted are: the middle of a UUID between
two hyphens; words of JSON with what stands between them; runs with three zeros. A run counts where it stands in the copy, unless
a kept thing has it (the schema, names of entities, the model, the metadata of Core Data, constants of the model's rules, names
of classes and keys in archives, and what stands beside these), or it only begins or ends in a value of the copy, with what
happens to stand beside it.
"""

import json, os, plistlib, re, resource, sqlite3, sys, zlib

# A store with values of many megabytes is none to search here: better an error than a machine without memory.
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

LOWER = bytes(b | 0x20 if 0x41 <= b <= 0x5A else b for b in range(256))
KNOWN = {"NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers",
         "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel", "NSStoreModelVersionHashesDigest",
         "NSStoreModelVersionChecksumKey", "NSPersistenceMaximumFrameworkVersion",
         "_NSStoreAncillaryModelVersionHashesMetadataKey", "NSPersistentStoreRebuildIndicies"}
MAGIC = [b"\x89PNG\r\n\x1a\n", b"SQLite format 3\0", b"GIF89a", b"GIF87a", b"bplist00", b"\x04\x0bstreamtyped",
         b"$archiver$objects$top$versionNSKeyedArchiver", "\ufe0f\u200d\u200d\ufe0f".encode(),
         b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
         b'"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n']


PUNCTUATION = re.compile(rb"\xc2[\x80-\xbf]?|\xe2(?:[\x80\x81][\x80-\xbf]?|$)|\xe3\x80[\x80-\xbf]?|\xef[\xb8\xbb][\x80-\xbf]?")
TAIL = re.compile(rb"^[\x80-\xbf]+")
TELLING = re.compile(rb"[1-9A-Za-z\x80-\xff]")
JSON_BYTES = re.compile(rb"[\"',:\[\]{}\s-]|[a-z]")
WORD = re.compile(rb"[a-z]+")


def tells(run):
    if len(set(run)) < 3 or run.count(0) >= 3 or run[0] == run[5] == 0x2D:
        return False
    rest = PUNCTUATION.sub(b"", TAIL.sub(b"", run))
    if len(TELLING.findall(rest)) < 3:
        return False
    if not JSON_BYTES.sub(b"", run) and not run.isalpha():
        if all(any(w in word for word in (b"true", b"false", b"null")) for w in WORD.findall(run)):
            return False
    return True


def runs(data):
    data = data.translate(LOWER)
    for i in range(len(data) - 5):
        run = data[i:i + 6]
        if tells(run):
            yield run


def text_runs(data):
    yield from runs(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    for encoding in ("utf-16-be", "utf-16-le"):
        units = text.encode(encoding)
        for i in range(0, len(units) - 11, 2):
            part = units[i:i + 12]
            code = [int.from_bytes(part[j:j + 2], "big" if encoding.endswith("be") else "little") for j in range(0, 12, 2)]
            if len(set(code)) >= 3 and sum(c >= 0x80 or chr(c).isalnum() and c != 0x30 for c in code) > 2:
                yield part.translate(LOWER)


class Values:
    def __init__(self):
        self.gone, self.kept, self.sides = set(), set(), set()
        self.seen = {}

    def text(self, data): self.gone.update(text_runs(data))

    def keep(self, data, shortest=4):
        self.kept.update(text_runs(data))
        data = data.translate(LOWER)
        for length in range(shortest, 6):
            if len(data) >= length:
                self.sides.update(((True, data[-length:]), (False, data[:length])))

    def explains(self, run):
        return run in self.kept or any(
            (True, run[:length]) in self.sides or (False, run[-length:]) in self.sides for length in range(2, 6))

    def blob(self, data, level=0):
        # A value of an attribute with external storage follows the byte 1.
        if data[:1] == b"\x01" and data[1:].startswith(tuple(MAGIC) + (b"bplist0", b"<?xml")):
            data = data[1:]
        if level < 8 and (data.startswith(b"bplist0") or data.startswith(b"<?xml")):
            try:
                return self.tree(plistlib.loads(data), level)
            except Exception:
                pass
        for magic in MAGIC:
            if data.startswith(magic):
                data = data[len(magic):]
                break
        if len(data) > 12 and data[4:8] == b"ftyp":
            data = data[12:]
        self.text(data)

    def tree(self, value, level, in_archive=False):
        # A damaged archive may hold an object in itself many times over, which is the same one each time.
        if isinstance(value, (list, tuple, dict)):
            if id(value) in self.seen:
                return
            self.seen[id(value)] = value
        if isinstance(value, str):
            if value != "$null":
                self.text(value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, bytes):
            self.blob(value, level + 1)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.tree(item, level, in_archive)
        elif isinstance(value, dict):
            if isinstance(value.get("$archiver"), str) and isinstance(value.get("$objects"), list):
                for item in value["$objects"] + [value.get("$top")]:
                    self.tree(item, level, True)
            elif in_archive and "$classname" in value:
                self.names(value)
            else:
                for key, item in value.items():
                    if not isinstance(key, str):  # in a damaged one
                        self.tree(key, level, in_archive)
                        self.tree(item, level, in_archive)
                        continue
                    system = key.startswith(("NS", "_NS", "com.apple.", "PF", "$"))
                    (self.keep if in_archive or system else self.text)(key.encode())
                    self.tree(item, level, in_archive)

    def names(self, value):
        """All strings of a value stay."""
        if isinstance(value, str):
            self.keep(value.encode("utf-8", "surrogatepass"))
        elif isinstance(value, bytes):
            self.keep(value)
        elif isinstance(value, (list, tuple)):
            for item in value:
                self.names(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                self.names(key)
                self.names(item)


def is_system(data):
    text = data.decode("utf-8", "replace")
    return text.startswith(("NSCloudKitMirroringDelegate.",
                            "com.apple.coredata.schemamigrator: lightweight migration from model with digest {")) or \
        text in ("com.apple.coredata.cloudkit.zone", "__defaultOwner__", "_defaultZone", "_defaultOwner_")


def metadata_of(path):
    """What a copy, whose metadata is whole, has of Core Data's own, and what stands beside it."""
    db = sqlite3.connect(path)
    try:
        (data,) = db.execute("select Z_PLIST from Z_METADATA").fetchone()
        names, own = set(KNOWN), {key: item for key, item in plistlib.loads(data).items() if key in KNOWN}
        strings_of(own, names)
        return own, list(structure(data, names))
    except Exception:
        return {}, []
    finally:
        db.close()


def strings_of(value, strings):
    if isinstance(value, (str, bytes)):
        strings.add(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            strings_of(item, strings)
    elif isinstance(value, dict):
        for key, item in value.items():
            strings_of(key, strings)
            strings_of(item, strings)


def values_of(path, copy, kept_columns):
    values = Values()
    for magic in MAGIC:
        values.keep(magic)
    db = sqlite3.connect(path)
    db.text_factory = bytes
    quoted = lambda name: '"' + name.decode("utf-8", "replace").replace('"', '""') + '"'
    virtual = []
    for kind, name, table, sql in db.execute("select type, name, tbl_name, sql from sqlite_master").fetchall():
        for text in (kind, name, table, sql or b"", sql and b" " + sql or b""):
            values.keep(text)
        if (sql or b"").lower().startswith(b"create virtual"):
            virtual += [name + s for s in (b"_node", b"_parent", b"_rowid")] + [name]
    for (name,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
        if name in virtual or name.startswith(b"sqlite_stat"):
            continue
        cursor = db.execute(f"select * from {quoted(name)}")
        columns = [c[0] for c in cursor.description]
        for row in cursor:
            for column, value in zip(columns, row):
                if isinstance(value, (int, float)) or value is None:
                    continue
                place = f"{name.decode()}.{column}"
                is_text = db_is_text(value)
                if place in kept_columns or place in ("Z_PRIMARYKEY.Z_NAME", "ACHANGE.ZCOLUMNS", "sqlite_sequence.name"):
                    values.keep(bytes(value))
                elif place == "Z_MODELCACHE.Z_CONTENT":
                    try:
                        model = plistlib.loads(zlib.decompress(value, -15))
                        values.names(model)
                        for item in model["$objects"]:
                            if isinstance(item, dict) and isinstance(item.get("NSConstantValue"), plistlib.UID):
                                constant = model["$objects"][item["NSConstantValue"].data]
                                if isinstance(constant, str):
                                    values.keep(constant.encode(), 2)
                        values.keep(value)
                    except Exception:
                        # A damaged one stays where storedoctor reads a model from it nevertheless.
                        (values.keep if value in cells(copy) else values.blob)(value)
                elif place == "Z_METADATA.Z_PLIST":
                    try:
                        tree = plistlib.loads(value)
                    except Exception:
                        # A damaged one, of which the copy has what could be read of Core Data's own.
                        values.blob(value)
                        own, beside = metadata_of(copy)
                        values.names(own)
                        for part in beside:
                            values.keep(part)
                        continue
                    for key, item in tree.items():
                        if key in KNOWN:
                            values.names({key: item})
                        else:
                            values.tree({key: item}, 0)
                elif (name.startswith(b"ANSCK") or name.startswith(b"ATRANSACTION")) and is_system(bytes(value)):
                    values.keep(bytes(value))
                elif value == b"NaN":
                    pass
                else:
                    values.blob(bytes(value))
    db.close()
    return values


def db_is_text(value): return isinstance(value, bytes)


def external(path):
    folder, name = os.path.split(path)
    stem = name.rsplit(".", 1)[0] if "." in name[1:] else name
    support = os.path.join(folder, f".{stem}_SUPPORT", "_EXTERNAL_DATA")
    if os.path.isdir(support):
        for file in sorted(os.listdir(support)):
            with open(os.path.join(support, file), "rb") as handle:
                yield file.encode(), handle.read()


def structure(data, kept_names):
    """The bytes of a binary property list, with texts and data that are no kept names left out: pieces between them."""
    try:
        size, width = data[-26], data[-25]
        count, _, table = (int.from_bytes(data[-24 + i:-16 + i or None], "big") for i in (0, 8, 16))
        cut = []
        if max(count, table) > len(data):
            return
        for i in range(count):
            at = int.from_bytes(data[table + i * size:table + (i + 1) * size], "big")
            kind, length, start = data[at] >> 4, data[at] & 15, at + 1
            if kind not in (4, 5, 6):
                continue
            if length == 15:
                wide = 1 << (data[at + 1] & 15)
                length, start = int.from_bytes(data[at + 2:at + 2 + wide], "big"), at + 2 + wide
            end = start + length * (2 if kind == 6 else 1)
            text = data[start:end] if kind == 4 else data[start:end].decode("utf-16-be" if kind == 6 else "latin-1")
            if text not in kept_names:
                cut.append((start, end))
        at = 0
        for start, end in sorted(cut):
            yield data[at:start]
            at = max(at, end)
        yield data[at:]
    except (IndexError, UnicodeDecodeError):
        return


def names_in(value, names):
    """Names of classes and keys of archives, and what they contain."""
    if isinstance(value, bytes) and value.startswith((b"bplist0", b"\x01bplist0")):
        value = value.removeprefix(b"\x01")
        try:
            names_in(plistlib.loads(value), names)
        except Exception:
            pass
    elif isinstance(value, (list, tuple)):
        for item in value:
            names_in(item, names)
    elif isinstance(value, dict):
        names.update(value)
        for item in value.values():
            names_in(item, names)
        if "$classname" in value:
            names.update(value.get("$classes", []))
            names.add(value["$classname"])


def lists_in(value):
    if isinstance(value, bytes) and value.startswith((b"bplist0", b"\x01bplist0")):
        value = value.removeprefix(b"\x01")
        yield value
        try:
            yield from lists_in(plistlib.loads(value))
        except Exception:
            pass
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from lists_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from lists_in(item)


def cells(path):
    db = sqlite3.connect(path)
    db.text_factory = bytes
    for (name,) in db.execute("select name from sqlite_master where type = 'table' and rootpage > 0").fetchall():
        for row in db.execute('select * from "' + name.decode().replace('"', '""') + '"'):
            for value in row:
                if isinstance(value, bytes):
                    yield value
    db.close()


for line in sys.stdin:
    store, copy, kept = line.rstrip("\n").split("\t")
    values = values_of(store, copy, set(kept.split(",")))
    for name, data in external(store):
        values.text(name)
        values.blob(data)
    wanted = values.gone - values.kept
    pieces = [open(copy, "rb").read()]
    for name, data in external(copy):
        pieces += [name, data]
    found = set()
    for piece in pieces:
        piece = piece.translate(LOWER)
        for length in (6, 12):
            found.update(run for run in (piece[i:i + length] for i in range(len(piece) - length + 1)) if run in wanted)
    found = {run for run in found if not values.explains(run)}
    if found:
        # What is in the structure of archives, and what only begins or ends in a value.
        blobs = list(cells(copy)) + [data for _, data in external(copy)]
        names = {"$null", "NSKeyedArchiver"} | KNOWN
        for blob in blobs:
            names_in(blob, names)
        for blob in blobs:
            for whole in lists_in(blob):
                for part in structure(whole, names):
                    part = part.translate(LOWER)
                    found.difference_update({part[i:i + 6] for i in range(len(part) - 5)} & found)
        inside = set()
        sides = set()
        for blob in blobs + [name for name, _ in external(copy)]:
            blob = blob.translate(LOWER)
            inside.update(run for run in found if run in blob)
            for length in range(3, 6):
                sides.update(((True, blob[-length:]), (False, blob[:length])))
        found = {run for run in found if run in inside or not any(
            (True, run[:length]) in sides or (False, run[-length:]) in sides for length in range(3, 6))}
    print(json.dumps({"store": store, "runs": len(wanted), "count": len(found),
                      "found": sorted(run.hex() for run in found)[:20]}))
