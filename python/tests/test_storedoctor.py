"""The module against the program: python3 python/tests/test_storedoctor.py, with STOREDOCTOR naming the program."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# With the module of an installed wheel, where `--installed` asks for it.
if "--installed" in sys.argv:
    sys.argv.remove("--installed")
else:
    sys.path.insert(0, str(ROOT / "python"))

import storedoctor  # noqa: E402

STORE = str(ROOT / "corpus/Notes.sqlite")
MODEL = str(ROOT / "corpus/Notes.xcdatamodeld")


def said(*arguments: str) -> bytes:
    run = subprocess.run([storedoctor.program(), *arguments], stdout=subprocess.PIPE, check=False)
    return run.stdout


class Module(unittest.TestCase):
    def test_inspect(self) -> None:
        found = storedoctor.inspect(STORE)
        self.assertEqual(found.document, json.loads(said("inspect", STORE, "--format", "json")))
        self.assertEqual({e.name: e.rows for e in found.entities}["Note"], 15)

    def test_one_entity(self) -> None:
        self.assertEqual([e.name for e in storedoctor.inspect(pathlib.Path(STORE), entities=["Tag"]).entities], ["Tag"])

    def test_diagnose(self) -> None:
        self.assertEqual(storedoctor.diagnose(STORE).verdict, "healthy")
        blocked = storedoctor.diagnose(STORE, models=[MODEL])
        command = ("diagnose", STORE, "--model", MODEL, "--format", "json")
        self.assertEqual(blocked.document, json.loads(said(*command)))
        self.assertEqual(blocked.verdict, "blocked-by-data")
        self.assertIn("SD806", [f.id for f in blocked.findings])

    def test_rows(self) -> None:
        lines = said("rows", STORE, "Note", "--format", "jsonl").splitlines()
        self.assertEqual(list(storedoctor.rows(STORE, "Note")), [json.loads(line) for line in lines])
        some = storedoctor.rows(STORE, "Note", where="title == 'Note 2'", columns=["title", "folder.name"])
        self.assertEqual([row["title"] for row in some], ["Note 2"])

    def test_rows_that_are_not_all_wanted(self) -> None:
        few = storedoctor.rows(STORE, "Note")
        self.assertEqual(next(few)["title"], "Note 1")
        few.close()

    def test_audit(self) -> None:
        lines = list(storedoctor.audit([STORE, str(ROOT / "README.md")]))
        self.assertEqual([os.path.basename(line.path or "") for line in lines], ["Notes.sqlite", "README.md"])
        self.assertEqual([line.verdict for line in lines], ["healthy", None])
        self.assertIsNotNone(lines[1].problem)

    def test_recover(self) -> None:
        lines = said("recover", STORE, "--format", "jsonl").splitlines()
        self.assertEqual(list(storedoctor.recover(STORE)), [json.loads(line) for line in lines])

    def test_errors(self) -> None:
        with self.assertRaises(storedoctor.StoreDoctorError) as caught:
            storedoctor.inspect("/no/such.sqlite")
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("no such file", caught.exception.message)
        with self.assertRaises(storedoctor.StoreDoctorError):
            list(storedoctor.rows(STORE, "Nothing"))
        # What looks like an option is a name.
        with self.assertRaises(storedoctor.StoreDoctorError):
            storedoctor.inspect("--version")


if __name__ == "__main__":
    unittest.main()
