"""`storedoctor mcp` asked by the official client: python3 python/tests/test_mcp.py, with STOREDOCTOR naming the program.

Every tool is listed and called; a path outside of the root, a link out of it and values without leave are refused. It needs the
package `mcp` (`scripts/setup test` puts it into .build/python).
"""

import asyncio
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from typing import Any, Dict, List, Tuple

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = ROOT / "corpus"
PROGRAM = os.environ.get("STOREDOCTOR") or "storedoctor"

# Each tool with arguments that it answers, and the kind of document that the answer is.
CALLS: Dict[str, Tuple[Dict[str, Any], str]] = {
    "inspect": ({"store": "Notes.sqlite"}, "inspection"),
    "diagnose": ({"store": "Notes.sqlite", "models": ["Notes.xcdatamodeld"]}, "diagnosis"),
    "modelDiff": ({"from": "Notes.sqlite", "to": "Notes.xcdatamodeld"}, "model-diff"),
    "modelMatch": ({"store": "Notes.sqlite", "models": ["Notes.xcdatamodeld"]}, "model-match"),
    "lint": ({"path": "Trips"}, "lint"),
    "explain": ({"codes": ["134110"]}, "explanation"),
    "rehearse": ({"store": "Notes.sqlite", "models": ["Notes.xcdatamodeld"]}, "rehearsal"),
    "planRepair": ({"store": "Notes.sqlite"}, "plan"),
}


class OfficialClient(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "root"
        self.root.mkdir()
        shutil.copy(CORPUS / "Notes.sqlite", self.root)
        shutil.copy(CORPUS / "Notes.sqlite", self.folder / "Outside.sqlite")
        for name in ("Notes.xcdatamodeld", "Trips"):
            shutil.copytree(CORPUS / name, self.root / name)
        (self.root / "link.sqlite").symlink_to(self.folder / "Outside.sqlite")

    def asked(self, calls: List[Tuple[str, Dict[str, Any]]], *options: str) -> Tuple[List[str], List[Tuple[bool, str]]]:
        """The names of all tools, and for each call whether it was an error, and its text."""

        async def ask() -> Tuple[List[str], List[Tuple[bool, str]]]:
            server = StdioServerParameters(command=PROGRAM, args=["mcp", "--root", str(self.root), *options])
            async with stdio_client(server) as (reading, writing):
                async with ClientSession(reading, writing) as session:
                    await session.initialize()
                    tools = [tool.name for tool in (await session.list_tools()).tools]
                    answers = []
                    for name, arguments in calls:
                        answer = (await session.call_tool(name, arguments)).model_dump(by_alias=True)
                        answers.append((bool(answer["isError"]), str(answer["content"][0]["text"])))
                    return tools, answers

        return asyncio.run(ask())

    def test_every_tool_answers(self) -> None:
        tools, answers = self.asked([(name, arguments) for name, (arguments, _) in CALLS.items()])
        self.assertEqual(sorted(tools), sorted(CALLS))
        for (name, (_, kind)), (is_error, text) in zip(CALLS.items(), answers):
            self.assertFalse(is_error, f"{name}: {text}")
            self.assertTrue(json.loads(text)["schema"].startswith(f"storedoctor.{kind}/"), name)

    def test_what_lies_outside_is_refused(self) -> None:
        paths = ["../Outside.sqlite", str(self.folder / "Outside.sqlite"), "link.sqlite", "..", "/etc/passwd"]
        _, answers = self.asked([("inspect", {"store": path}) for path in paths])
        for path, (is_error, text) in zip(paths, answers):
            self.assertTrue(is_error and text.startswith(f"refusing to read '{path}': "), text)

    def test_values_need_leave(self) -> None:
        call = [("inspect", {"store": "Notes.sqlite", "showValues": True})]
        ((is_error, text),) = self.asked(call)[1]
        self.assertTrue(is_error and text.startswith("values are not shown: "), text)
        self.assertFalse(self.asked(call, "--allow-values")[1][0][0])


if __name__ == "__main__":
    unittest.main()
