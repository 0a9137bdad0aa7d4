"""Compares a readable database ('rows --format sqlite') with the folder of JSON that 'rows' wrote of the same store.

    readable_database.py DATABASE FOLDER

Prints "equal" with the number of objects and links, or the first differences. Names of tables and columns are found by what
the database declares: its foreign keys, and the table _about.
"""

import base64, collections, glob, json, os, sqlite3, sys

db = sqlite3.connect(sys.argv[1])
different, objects, links = [], 0, 0


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


tables = [n for (n,) in db.execute("select name from sqlite_master where type = 'table'")]
for problem in db.execute("pragma foreign_key_check"):
    different.append(["foreign key", problem])
dangling = collections.defaultdict(list)
for entity, key, name, missing in db.execute("select * from _dangling"):
    dangling[(key, name)].append(missing)

documents = {}
for path in glob.glob(os.path.join(sys.argv[2], "*.json")):
    document = json.load(open(path))
    documents[document["entity"]] = document

# The parents: the key of a table that is a foreign key too.
parents = {}
for table in tables:
    for row in db.execute(f"pragma foreign_key_list({quoted(table)})"):
        if row[3] == "_key":
            parents[table] = row[2]


def lineage(table):
    while table:
        yield table
        table = parents.get(table)


def plain(value, column):
    """A value of the JSON as the database has it."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict):
        if "missing file" in value:
            return "missing file " + value["missing file"]
        if "text" in value:
            return base64.b64decode(value["base64"])
        if column["type"] == "Transformable" and "base64" in value and not {"archive", "json", "propertyList"} & set(value):
            return base64.b64decode(value["base64"])
        if column["type"] == "Binary" or column["type"] == "stored":
            return base64.b64decode(value["base64"])
        return ("any text",)
    return value


for entity, document in documents.items():
    if entity not in tables:
        different.append([entity, "no table"])
        continue
    columns = {c["name"]: c for c in document["columns"]}
    stored = {}
    for table in lineage(entity):
        head = [c[1] for c in db.execute(f"pragma table_info({quoted(table)})")]
        for row in db.execute(f"select * from {quoted(table)}"):
            row = dict(zip(head, row))
            if table == entity:
                stored[row["_key"]] = row
            elif row["_key"] in stored:
                stored[row["_key"]].update(row)
    for row in document["rows"]:
        objects += 1
        found = stored.get(row["_key"])
        if found is None:
            different.append([entity, row["_key"], "missing"])
            continue
        for name, value in row.items():
            if name in ("_key", "_entity") or isinstance(value, list):
                continue
            expected = plain(value, columns[name])
            actual = found.get(name)
            if columns[name]["type"].startswith("to-one"):
                links += value is not None
                if actual is None and value is not None:
                    actual = dangling[(row["_key"], name)][0] if dangling[(row["_key"], name)] else None
            good = isinstance(actual, str) if expected == ("any text",) else actual == expected and (
                isinstance(actual, (int, float)) == isinstance(expected, (int, float)))
            if not good:
                different.append([entity, row["_key"], name, repr(expected)[:80], repr(actual)[:80]])

# Many-to-many relationships: every table with two foreign keys and no _key of its own.
of_entity = collections.defaultdict(dict)
for document in documents.values():
    for row in document["rows"]:
        for name, value in row.items():
            if isinstance(value, list):
                of_entity[name][(document["entity"], row["_key"])] = value
for table in tables:
    keys = {r[3]: r[2] for r in db.execute(f"pragma foreign_key_list({quoted(table)})")}
    if "_key" in keys or len(keys) == 0 or "_key" in [c[1] for c in db.execute(f"pragma table_info({quoted(table)})")]:
        continue
    head = [c[1] for c in db.execute(f"pragma table_info({quoted(table)})")]
    owner, other = head[0], head[1]
    entity = keys[owner]
    name = table[len(entity) + 1:].rsplit("_2", 1)[0] if table.endswith("_2") else table[len(entity) + 1:]
    expected = collections.Counter()
    for (kind, key), values in of_entity.get(name, {}).items():
        if entity in lineage(kind):
            expected.update((key, value) for value in values)
    actual = collections.Counter(db.execute(f"select {quoted(owner)}, {quoted(other)} from {quoted(table)}"))
    for (key, label), missing in dangling.items():
        if label == name:
            actual.update((key, value) for value in missing)
    links += sum(actual.values())
    # Rows of the join table whose own end is missing are of no object.
    extra = actual - expected
    if expected - actual or any((key, name) not in dangling for key, _ in extra):
        different.append([table, sorted((expected - actual).items())[:5], sorted(extra.items())[:5]])

if sum(db.execute(f"select count(*) from {quoted(e)}").fetchone()[0] for e in documents if e in tables and e not in parents) \
        != objects:
    different.append(["objects", objects])
for view in [n for (n,) in db.execute("select name from sqlite_master where type = 'view'")]:
    base = view[:-len("_flat")]
    if base in tables and db.execute(f"select count(*) from {quoted(view)}").fetchone() != db.execute(
            f"select count(*) from {quoted(base)}").fetchone():
        different.append([view, "not as many rows as its table"])
print("equal" if not different else different[:10], objects, links)
