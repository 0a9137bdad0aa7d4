"""Reads the objects of a store by sqlite3 and plistlib alone, and compares them with what 'rows' wrote.

    independent_rows.py STORE FOLDER

STORE is a copy of a store with its log, which may be written to. FOLDER has a file ENTITY.json for each entity, the output
of 'rows STORE ENTITY --without-subentities --binary --format json'. Prints a line of JSON: rows and values compared, by kind,
and the differences. Nothing of storedoctor is used: the model comes from Z_MODELCACHE, and columns are found by the rules of
docs/format/store-layout.md (number of the second property of one name in a table; case of names).
"""

import base64, collections, datetime, json, os, plistlib, re, sqlite3, sys, uuid, zlib

store, folder = sys.argv[1:3]
db = sqlite3.connect(store)
db.text_factory = bytes
compared, different = collections.Counter(), []


def text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


tables = {text(n): [text(r[1]) for r in db.execute(f"pragma table_info({quoted(text(n))})")]
          for (n,) in db.execute("select name from sqlite_master where type = 'table'")}
rows_of_map = [(n, text(name), parent) for n, name, parent in
               db.execute("select Z_ENT, Z_NAME, Z_SUPER from Z_PRIMARYKEY") if n < 16000]
names = {n: name for n, name, _ in rows_of_map}
numbers = {name: n for n, name in names.items()}
parents = {n: p for n, _, p in rows_of_map if p}


def root(n):
    while n in parents:
        n = parents[n]
    return n


def kinds(n):
    return {n}.union(*[kinds(c) for c, p in parents.items() if p == n] or [set()])


# The model, as Python's plistlib has it.
class Archive:
    def __init__(self, data):
        self.objects = plistlib.loads(data)["$objects"]
        self.top = plistlib.loads(data)["$top"]["root"]

    def get(self, value):
        return self.objects[value.data] if isinstance(value, plistlib.UID) else value

    def cls(self, o):
        return self.get(o["$class"])["$classname"] if isinstance(o, dict) and "$class" in o else None

    def string(self, value):
        o = self.get(value)
        if isinstance(o, dict):
            o = self.get(o.get("NS.string", ""))
        return None if o == "$null" else o

    def members(self, value):
        o = self.get(value)
        if not isinstance(o, dict):
            return o if isinstance(o, list) else []
        if "NS.objects" in o:
            return [self.get(x) for x in self.get(o["NS.objects"])]
        if "values" in o:
            return [self.get(x) for x in self.members(o["values"])]
        found, number = [], 0
        while f"NS.object.{number}" in o:
            found.append(self.get(o[f"NS.object.{number}"]))
            number += 1
        return found


model = None
if "Z_MODELCACHE" in tables:
    row = db.execute("select Z_CONTENT from Z_MODELCACHE").fetchone()
    if row and row[0]:
        archive = Archive(zlib.decompress(row[0], -15))
        model = {}
        for entity in archive.members(archive.get(archive.top)["NSEntities"]):
            if not isinstance(entity, dict) or "NSEntityName" not in entity:
                continue
            properties = {}
            for p in archive.members(entity["NSProperties"]):
                if isinstance(p, dict) and archive.cls(p) == "_NSPropertyDescriptionProxy" or not isinstance(p, dict):
                    continue
                properties[archive.string(p["NSPropertyName"])] = p
            parent = archive.get(entity["NSSuperentity"]) if "NSSuperentity" in entity else None
            model[archive.string(entity["NSEntityName"])] = {
                "parent": archive.string(parent["NSEntityName"]) if isinstance(parent, dict) else None,
                "properties": properties,
                "old": archive.string(entity["NSRenamingIdentifier"]) if "NSRenamingIdentifier" in entity else None}


def model_name(n):
    name = names[n]
    if name in model:
        return name
    return next((m for m, e in model.items() if e["old"] == name), None)


def leaves(p, path):
    if archive.cls(p) == "NSCompositeAttributeDescription":
        for element in archive.members(p["NSCompositeElements"]):
            yield from leaves(element, path + [archive.string(element["NSPropertyName"])])
    else:
        yield path, p


def flag(p, key):
    return bool(archive.get(p.get(key, False)))


def to_many(p):
    return archive.get(p.get("NSMaxCount", 0)) != 1


# For each root table the columns of its properties: the second property of one name has the number 1.
columns = {}
if model is not None:
    for r in sorted({root(n) for n in names}):
        count = collections.Counter()
        for n in sorted(kinds(r)):
            if model_name(n) is None:
                continue
            entity = model[model_name(n)]
            inherited, up = set(), entity["parent"]
            while up:
                inherited |= set(model[up]["properties"])
                up = model[up]["parent"]
            for name in sorted(set(entity["properties"]) - inherited):
                p = entity["properties"][name]
                if flag(p, "NSIsTransient") or archive.cls(p) == "NSFetchedPropertyDescription":
                    continue
                relationship = "_NSDestinationEntityName" in p
                if relationship and to_many(p):
                    continue
                for path, leaf in ([([], p)] if relationship else leaves(p, [])):
                    base = "Z" + (path[-1] if path else name).upper()
                    columns[(n, name, tuple(path))] = base + (str(count[base]) if count[base] else "")
                    count[base] += 1


def declared(n, name):
    """The topmost entity that declares a property, and its description there that counts."""
    entity, chain = model_name(n), []
    while entity:
        if name in model[entity]["properties"]:
            chain.append(entity)
        entity = model[entity]["parent"]
    top = chain[-1]
    return next(k for k in names if model_name(k) == top), model[chain[0]]["properties"][name]


def all_properties(n):
    found, entity = {}, model_name(n)
    while entity:
        for name in model[entity]["properties"]:
            found.setdefault(name, None)
        entity = model[entity]["parent"]
    return sorted(found)


# What the JSON says, as Python values.
def seconds(value):
    m = re.fullmatch(r"([+-]?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z", value)
    year, month, day, hour, minute, second = [int(x) for x in m.groups()[:6]]
    cycles, year = divmod(year - 1, 400)
    days = (datetime.date(year + 1, month, day) - datetime.date(2001, 1, 1)).days + cycles * 146097
    whole = days * 86400 + hour * 3600 + minute * 60 + second
    from fractions import Fraction
    return float(Fraction(whole) + Fraction("0" + (m.group(7) or ".0")))


def blob(value):
    return base64.b64decode(value["base64"])


def external(value):
    if value[:1] == b"\x01":
        return value[1:]
    name = value[1:37].decode()
    path = os.path.join(os.path.dirname(store),
                        "." + os.path.splitext(os.path.basename(store))[0] + "_SUPPORT", "_EXTERNAL_DATA", name)
    return open(path, "rb").read() if os.path.exists(path) else ("missing", name)


def same(kind, stored, shown, is_external=False):
    if stored is None:
        return shown is None
    if kind in (100, 200, 300):
        return stored == shown and type(shown) is type(stored)
    if kind == 800:
        return shown is bool(stored) if stored in (0, 1) else shown == stored
    if kind in (400, 500, 600):
        return not isinstance(shown, bool) and (float(shown) if isinstance(stored, float) else shown) == stored
    if kind == 900:
        return seconds(shown) == float(stored)
    if kind in (700, 1200):
        return shown == (stored.decode() if isinstance(stored, bytes) else stored)
    if kind == 1100:
        return shown == str(uuid.UUID(bytes=stored)).upper()
    if kind in (1000, 1800):
        if is_external:
            stored = external(stored)
            if isinstance(stored, tuple):
                return shown == {"missing file": stored[1]}
        return shown["length"] == len(stored) and ("base64" not in shown or blob(shown) == stored) and (
            "base64" in shown or kind == 1800)
    return shown == (text(stored))


def note(entity, key, name, stored, shown):
    different.append([entity, key, name, repr(stored)[:80], repr(shown)[:80]])


def check_entity(n, document):
    r = root(n)
    table = "Z" + names[r].upper()
    if table not in tables and model is not None and model_name(r):
        table = "Z" + model_name(r).upper()
    shown = {row["_key"]: row for row in document["rows"]}
    db.row_factory = None
    head = tables[table]
    stored = {}
    for row in db.execute(f"select * from {quoted(table)} where Z_ENT = {n}"):
        row = dict(zip(head, row))
        stored[row["Z_PK"]] = row
    if set(stored) != set(shown):
        note(names[n], None, "keys", sorted(stored), sorted(shown))
    compared["objects"] += len(stored)
    for key, row in stored.items():
        row_shown = dict(shown.get(key, {}))
        row_shown.pop("_key", None)
        row_shown.pop("_entity", None)
        if model is None or model_name(n) is None:
            compare_undescribed(n, key, row, row_shown)
        else:
            compare(n, key, row, row_shown)


def compare_undescribed(n, key, row, shown):
    """Without a model, a column's name and the storage class of its values are all there is."""
    for name, value in shown.items():
        if isinstance(value, list):
            compared["to-many without model"] += 1
            continue
        base = "Z" + name.upper()
        column = base if base in row else name
        stored = row[column]
        kinds_of = {int: (300, 800, 900, 400), float: (500, 900, 400), bytes: (1000, 1800, 1100, 700)}
        if stored is None:
            good = value is None
        else:
            good = any(try_same(k, stored, value) for k in kinds_of[type(stored)])
        compared["value without model"] += 1
        if not good:
            note(names[n], key, name, stored, value)


def try_same(kind, stored, shown):
    try:
        return bool(same(kind, stored, shown))
    except Exception:
        return False


def compare(n, key, row, shown):
    for name in all_properties(n):
        top, p = declared(n, name)
        if flag(p, "NSIsTransient") or archive.cls(p) == "NSFetchedPropertyDescription":
            continue
        if "_NSDestinationEntityName" in p:
            if name not in shown:
                note(names[n], key, name, "property", "absent")
                continue
            if to_many(p):
                links = to_many_keys(n, top, name, p)
                expected = None if links is None else links.get(key, [])
                value = shown.pop(name)
                compared["to-many" if expected is not None else "to-many unknown"] += 1
                compared["links"] += len(value)
                if expected is not None and value != expected:
                    note(names[n], key, name, expected, value)
            else:
                stored = row[columns[(top, name, ())]]
                compared["to-one"] += 1
                if stored != shown.pop(name):
                    note(names[n], key, name, stored, "other")
            continue
        for path, leaf in leaves(p, []):
            label = ".".join([name] + path)
            column = columns[(top, name, tuple(path))]
            if column not in row:
                continue
            kind = archive.get(leaf["NSAttributeType"])
            value = shown.pop(label, "absent")
            compared[kind] += 1
            is_external = bool(archive.get(leaf.get("NSFlagsKey", 0)) & 4) if isinstance(
                archive.get(leaf.get("NSFlagsKey", 0)), int) else False
            if not try_same_external(kind, row[column], value, is_external):
                note(names[n], key, label, row[column], value)
    for name in shown:
        note(names[n], key, name, "no such property", shown[name])


def try_same_external(kind, stored, shown, is_external):
    try:
        return bool(same(kind, stored, shown, is_external))
    except Exception as error:
        return False


known_links = {}


def to_many_keys(n, top, name, p):
    """The links by object, in their order; None where this script does not know where they are."""
    if (top, name) in known_links:
        return known_links[(top, name)]
    known_links[(top, name)] = found = find_links(top, name, p)
    return found


def find_links(top, name, p):
    destination = archive.string(p["_NSDestinationEntityName"])
    target = next((k for k in names if model_name(k) == destination), None)
    inverse = archive.string(p["_NSInverseRelationshipName"]) if "_NSInverseRelationshipName" in p else None
    if target is None:
        return None
    holder = "Z" + names[root(target)].upper()
    if holder not in tables:
        return None
    if inverse is None:
        column = next((c for c in tables[holder] if re.fullmatch(r"Z\d+" + re.escape(name.upper()), c)), None)
        if column is None:
            return None
        order = "Z_FOK_" + column[1:]
        return group(holder, column, "Z_PK", order if order in tables[holder] else None, kinds(target))
    back_top, back = declared(target, inverse)
    if not to_many(back):
        column = columns[(back_top, inverse, ())]
        order = "Z_FOK_" + column[1:]
        return group(holder, column, "Z_PK", order if flag(p, "NSIsOrdered") and order in tables[holder] else None,
                     kinds(target))
    # A join table: named Z_<number><RELATIONSHIP> after one of its ends.
    for own, relationship, other, other_name in [(top, name, back_top, inverse), (back_top, inverse, top, name)]:
        table = f"Z_{own}{relationship.upper()}"
        if table not in tables:
            continue
        plain = [c for c in tables[table] if not c.startswith("Z_FOK_")]
        if len(plain) != 2:
            return None
        mine = [c for c in plain if re.fullmatch(rf"Z_{top}{re.escape(inverse.upper())}\d*", c)]
        theirs = [c for c in plain if re.fullmatch(rf"Z_{back_top}{re.escape(name.upper())}\d*", c)]
        if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
            return None
        order = "Z_FOK_" + theirs[0][2:]
        if flag(p, "NSIsOrdered") and order not in tables[table]:
            return None
        return group(table, mine[0], theirs[0], order if flag(p, "NSIsOrdered") else None, None)
    return None


def group(table, owner, other, order, only):
    found = collections.defaultdict(list)
    where = f" and Z_ENT in ({','.join(map(str, only))})" if only else ""
    for a, b, o in db.execute(
            f"select {quoted(owner)}, {quoted(other)}, {quoted(order) if order else 0} from {quoted(table)}"
            f" where {quoted(owner)} is not null{where}"):
        found[a].append((o or 0, b))
    return {a: [b for _, b in sorted(pairs)] for a, pairs in found.items()}


for n in sorted(names):
    path = os.path.join(folder, names[n] + ".json")
    if os.path.exists(path):
        check_entity(n, json.load(open(path)))
print(json.dumps({"compared": {str(k): v for k, v in compared.items()}, "different": different[:20],
                  "differences": len(different)}))
