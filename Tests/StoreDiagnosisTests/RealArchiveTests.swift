import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreScanning
import TestSupport
import Testing

/// The classes in the archives of real stores, against Python's plistlib: every row that a secure transformer without
/// further classes would refuse, with its class.
@Suite(.enabled(if: Python.isPresent, "python3 is not installed")) struct RealArchiveTests {
  @Test(.needsSharedData) func everyRefusedRowIsTheOneThatPythonFinds() throws {
    var refused: [String: Int] = [:]
    for entry in Catalogue.real {
      let store = try Store(path: entry.path)
      let places = StoreMap(store).attributePlaces.places.filter { $0.leaf.attribute?.transformer != nil }
      guard !places.isEmpty else { continue }
      let found = try refusedRows(entry.path, places: places)
      #expect(try found == oracle(entry.path, places: places), "\(entry.slug)")
      for line in found { refused[line.split(separator: " ").last.map(String.init) ?? "", default: 0] += 1 }
    }
    print("refused by class: \(refused.sorted { $0.key < $1.key })")
    // Of the 34 values that have a secure transformer none is refused; these are of the apps' own.
    #expect(refused["Content"] == 5208 && refused["CoreDataPlus_Tests_macOS.Cover"] == 52)
  }

  /// Without a list for the app's own transformers nothing is said of their values.
  @Test(.needsSharedData) func noRealStoreIsJudgedWithoutAList() throws {
    for entry in Catalogue.real {
      let diagnosis = try diagnose(path: entry.path)
      #expect(!diagnosis.findings.contains { ["SD509", "SD510", "SD511", "SD512"].contains($0.id) }, "\(entry.slug)")
    }
  }

  /// "TABLE COLUMN row class" of every refused row, where each own transformer has a list of nothing but the system's.
  private func refusedRows(_ path: String, places: [AttributePlace]) throws -> Set<String> {
    var options = DiagnosisOptions(examples: 1_000_000)
    for case .own(let name)? in places.map({ $0.leaf.attribute?.transformer }) {
      _ = options.allowedClasses.add("\(name)=NothingAtAll")
    }
    let checks = Check.all.filter { ["SD509", "SD511"].contains($0.id) }
    let columns = Dictionary(places.map { (["\($0.table)", $0.owner.name, $0.name], $0.column) }) { first, _ in first }
    let findings = try diagnose(path: path, options: options, with: checks).findings
    return Set(
      findings.flatMap { finding -> [String] in
        let (table, property) = (finding.table ?? "", finding.property ?? "")
        let column = columns[[table, finding.entity ?? "", property]] ?? "?"
        return finding.examples.compactMap { example in
          guard case .text(let name)? = example.facts["class"] else { return nil }
          return "\(table) \(column) \(example.primaryKey ?? 0) \(name)"
        }
      })
  }

  private func oracle(_ path: String, places: [AttributePlace]) throws -> Set<String> {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(path)
    let columns = Set(
      places.map { "\($0.table) \($0.column) \($0.leaf.attribute?.allowsExternalStorage == true ? 1 : 0)" })
    let output = try Python.run(Self.script, [copy], input: Array(columns.sorted().joined(separator: "\n").utf8))
    return Set(String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  private static let script = """
    import plistlib, sqlite3, sys
    SYSTEM = {"NSArray", "NSDictionary", "NSSet", "NSString", "NSNumber", "NSDate", "NSData", "NSURL", "NSUUID", "NSNull"}
    base = sqlite3.connect(sys.argv[1])
    for line in sys.stdin.read().split("\\n"):
        table, column, external = line.split(" ")
        for key, value in base.execute(f'SELECT Z_PK, "{column}" FROM "{table}"'):
            if not isinstance(value, bytes): continue
            if external == "1":
                if value[:1] != b"\\x01": continue
                value = value[1:]
            try: archive = plistlib.loads(value)
            except Exception: continue
            if not isinstance(archive, dict) or "$archiver" not in archive or "root" not in archive.get("$top", {}): continue
            objects = archive["$objects"]
            top = objects[archive["$top"]["root"].data]
            if not isinstance(top, dict) or "$class" not in top: continue
            described = objects[top["$class"].data]
            chain = described.get("$classes") or [described["$classname"]]
            if not SYSTEM & set(chain): print(table, column, key, described["$classname"])
    """
}
