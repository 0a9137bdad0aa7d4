import StorePropertyLists
import TestSupport
import Testing

/// Compares with Python's plistlib, which is independent of this module.
@Suite(.enabled(if: Python.isPresent, "python3 is not installed")) struct PythonOracleTests {
  @Test(arguments: ["FMT_BINARY", "FMT_XML"]) func readsWhatPythonWrites(format: String) throws {
    let list = try PropertyList(
      try run(
        """
        import datetime, plistlib, sys
        value = {
          "int": [0, -1, 255, 256, 65535, 65536, 2**32, 2**63 - 1, -2**63, 2**64 - 1],
          "real": [0.1, -1e300], "bool": [True, False], "data": bytes(range(256)),
          "date": datetime.datetime(1969, 12, 31, 23, 59, 59),
          "text": ["", "a & <b>", "Gr\\u00fc\\u00dfe", "\\U0001F600", "x" * 1000], "nested": {"a": [{}, []]},
        }
        sys.stdout.buffer.write(plistlib.dumps(value, fmt=plistlib.\(format)))
        """))
    let integers: [PropertyListValue] = [0, -1, 255, 256, 65_535, 65_536, 1 << 32, .max, .min].map { .integer($0) }
    #expect(
      try list.value()
        == .dictionary([
          "int": .array(integers + [.unsigned(.max)]),
          "real": .array([.real(0.1), .real(-1e300)]), "bool": .array([.boolean(true), .boolean(false)]),
          "data": .data(Array(0...255)), "date": .date(-978_307_201),
          "text": .array(
            ["", "a & <b>", "Grüße", "\u{1F600}", String(repeating: "x", count: 1_000)].map { .string($0) }),
          "nested": .dictionary(["a": .array([.dictionary([:]), .array([])])]),
        ]))
  }

  /// Python reads a file and writes it in the other format; reading that gives the same value.
  @Test func writesWhatPythonReads() throws {
    for (bytes, format) in [(everything.binaryPropertyList(), "FMT_XML"), (everything.xmlPropertyList(), "FMT_BINARY")]
    {
      let converted = try run(
        """
        import plistlib, sys
        value = plistlib.loads(sys.stdin.buffer.read())
        sys.stdout.buffer.write(plistlib.dumps(value, fmt=plistlib.\(format)))
        """, input: bytes)
      #expect(try PropertyList(converted).value() == everything)
    }
  }

  @Test func writesArchivesThatPythonReads() throws {
    let (builder, root) = smallArchive()
    let output = try run(
      """
      import plistlib, sys
      archive = plistlib.loads(sys.stdin.buffer.read())
      objects = archive["$objects"]
      model = objects[archive["$top"]["root"].data]
      entities = objects[model["NSEntities"].data]
      entity = objects[entities["NS.objects"][0].data]
      print(archive["$archiver"], archive["$version"], objects[0], objects[model["$class"].data]["$classname"],
        objects[entities["NS.keys"][0].data], objects[entity["NSEntityName"].data], entity["NSSuperentity"].data)
      """, input: builder.binary(root: root))
    #expect(
      String(decoding: output, as: UTF8.self) == "NSKeyedArchiver 100000 $null NSManagedObjectModel Note Note 0\n")
  }

  @Test func inflatesWhatPythonDeflates() throws {
    let packed = try run(
      """
      import sys, zlib
      packer = zlib.compressobj(9, zlib.DEFLATED, -15)
      sys.stdout.buffer.write(packer.compress(bytes(range(256)) * 1000) + packer.flush())
      """)
    #expect(try RawDeflate.inflate(packed, limit: 256_000) == Array(repeatElement(0...255, count: 1_000).joined()))
  }

  private func run(_ script: String, input: [UInt8] = []) throws -> [UInt8] { try Python.run(script, input: input) }
}
