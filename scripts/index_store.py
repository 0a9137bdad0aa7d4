"""Reads the index that the Swift compiler writes beside each debug build: which symbols a file declares, and which it uses.

Read through the toolchain's own library (libIndexStore), since the format of the files is the compiler's affair.
"""

import ctypes
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DEFINITION, REFERENCE = 1 << 1, 1 << 2
EXTENDED_BY = 1 << 14
LOCAL = 1 << 7
GETTER, SETTER = 3, 4
GENERIC_PARAMETER = 1013
# Kinds that are never used from another file by themselves.
MODULE, EXTENSION, PARAMETER = 1, 9, 25
RECORD = 2


class Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.bytes, self.length).decode() if self.bytes else ""


@dataclass(frozen=True)
class Occurrence:
    """A place where a symbol is declared or used."""

    usr: str
    name: str
    kind: int
    subkind: int
    properties: int
    roles: int
    line: int
    column: int

    @property
    def is_definition(self):
        return bool(self.roles & DEFINITION)

    @property
    def is_reference(self):
        return bool(self.roles & REFERENCE)

    @property
    def is_accessor(self):
        return self.subkind in (GETTER, SETTER) or 1000 <= self.subkind <= 1003 or 1014 <= self.subkind <= 1018


VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
NAMES_VISITOR = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


def load_library():
    swift = shutil.which("swift") or sys.exit("no 'swift' in PATH")
    if swift == "/usr/bin/swift" and shutil.which("xcrun"):
        # A stand-in of macOS, which starts the one of the chosen Xcode.
        swift = subprocess.run(["xcrun", "--find", "swift"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    folder = Path(swift).resolve().parent.parent / "lib"
    for name in ["libIndexStore.so", "libIndexStore.dylib"]:
        if (folder / name).exists():
            library = ctypes.CDLL(str(folder / name))
            break
    else:
        sys.exit(f"no libIndexStore in {folder}, which the Swift toolchain has")
    pointer, text, number = ctypes.c_void_p, Text, ctypes.c_uint
    shapes = {
        "store_create": (pointer, [ctypes.c_char_p, pointer]),
        "store_units_apply_f": (ctypes.c_bool, [pointer, number, pointer, NAMES_VISITOR]),
        "unit_reader_create": (pointer, [pointer, ctypes.c_char_p, pointer]),
        "unit_reader_dispose": (None, [pointer]),
        "unit_reader_get_main_file": (text, [pointer]),
        "unit_reader_get_module_name": (text, [pointer]),
        "unit_reader_get_modification_time": (None, [pointer, pointer, pointer]),
        "unit_reader_dependencies_apply_f": (ctypes.c_bool, [pointer, pointer, VISITOR]),
        "unit_dependency_get_kind": (ctypes.c_int, [pointer]),
        "unit_dependency_get_name": (text, [pointer]),
        "record_reader_create": (pointer, [pointer, ctypes.c_char_p, pointer]),
        "record_reader_dispose": (None, [pointer]),
        "record_reader_occurrences_apply_f": (ctypes.c_bool, [pointer, pointer, VISITOR]),
        "occurrence_get_symbol": (pointer, [pointer]),
        "occurrence_get_roles": (ctypes.c_uint64, [pointer]),
        "occurrence_get_line_col": (None, [pointer, pointer, pointer]),
        "symbol_get_usr": (text, [pointer]),
        "symbol_get_name": (text, [pointer]),
        "symbol_get_kind": (ctypes.c_int, [pointer]),
        "symbol_get_subkind": (ctypes.c_int, [pointer]),
        "symbol_get_properties": (ctypes.c_uint64, [pointer]),
    }
    functions = {}
    for name, (result, arguments) in shapes.items():
        function = getattr(library, "indexstore_" + name)
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions


class Index:
    """The index of one build, read for the source files below `root`."""

    def __init__(self, store, root):
        self.functions = load_library()
        self.root = f"{Path(root).resolve()}/"
        self.store = self.functions["store_create"](str(store).encode(), None)
        if not self.store:
            sys.exit(f"cannot read the compiler's index in {store}")

    def files(self):
        """Path below the root -> (module, occurrences). Units of files that are gone are left out."""
        newest = {}
        for unit in self._unit_names():
            found = self._unit(unit)
            if found is None:
                continue
            path, module, written, records = found
            if path not in newest or newest[path][1] < written:
                newest[path] = (module, written, records)
        return {
            path: (module, [occurrence for record in records for occurrence in self._occurrences(record)])
            for path, (module, _, records) in sorted(newest.items())
        }

    def _unit_names(self):
        names = []
        visitor = NAMES_VISITOR(lambda _, name: names.append(str(name)) or True)
        self.functions["store_units_apply_f"](self.store, 0, None, visitor)
        return names

    def _unit(self, name):
        call = self.functions
        reader = call["unit_reader_create"](self.store, name.encode(), None)
        if not reader:
            return None
        try:
            main = str(call["unit_reader_get_main_file"](reader))
            if not main.startswith(self.root) or "/.build/" in main or not Path(main).exists():
                return None
            seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
            call["unit_reader_get_modification_time"](reader, ctypes.byref(seconds), ctypes.byref(nanoseconds))
            records = []

            def visit(_, dependency):
                if call["unit_dependency_get_kind"](dependency) == RECORD:
                    records.append(str(call["unit_dependency_get_name"](dependency)))
                return True

            call["unit_reader_dependencies_apply_f"](reader, None, VISITOR(visit))
            module = str(call["unit_reader_get_module_name"](reader))
            return main[len(self.root) :], module, (seconds.value, nanoseconds.value), records
        finally:
            call["unit_reader_dispose"](reader)

    def _occurrences(self, record):
        call = self.functions
        reader = call["record_reader_create"](self.store, record.encode(), None)
        if not reader:
            return []
        found = []
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def visit(_, occurrence):
            symbol = call["occurrence_get_symbol"](occurrence)
            call["occurrence_get_line_col"](occurrence, ctypes.byref(line), ctypes.byref(column))
            found.append(
                Occurrence(
                    usr=str(call["symbol_get_usr"](symbol)),
                    name=str(call["symbol_get_name"](symbol)),
                    kind=call["symbol_get_kind"](symbol),
                    subkind=call["symbol_get_subkind"](symbol),
                    properties=call["symbol_get_properties"](symbol),
                    roles=call["occurrence_get_roles"](occurrence),
                    line=line.value,
                    column=column.value,
                )
            )
            return True

        call["record_reader_occurrences_apply_f"](reader, None, VISITOR(visit))
        call["record_reader_dispose"](reader)
        return found
