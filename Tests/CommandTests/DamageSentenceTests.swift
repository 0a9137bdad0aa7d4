import Foundation
import TestSupport
import Testing

/// A command that ends because the store is damaged says in words what is damaged, and the command that saves what is left. Those
/// that show rows go on with what is left.
@Suite struct DamageSentenceTests {
  enum Damage: String, CaseIterable {
    case headerGone, headerOfAnother, firstPageGone, firstTreeGone, cutOff, somePagesZero, allPagesZero

    func applied(to bytes: [UInt8]) -> [UInt8] {
      let size = 4096
      var copy = bytes
      func zero(_ range: Range<Int>) { copy.replaceSubrange(range, with: repeatElement(0, count: range.count)) }
      switch self {
      case .headerGone: zero(0..<100)
      case .headerOfAnother: copy.replaceSubrange(16..<100, with: repeatElement(255, count: 84))
      case .firstPageGone: zero(0..<size)
      case .firstTreeGone: zero(100..<size)
      case .cutOff: copy.removeSubrange(copy.count / 3..<copy.count)
      case .somePagesZero: for page in [3, 7, 9, 12, 15] { zero((page - 1) * size..<page * size) }
      case .allPagesZero: zero(size..<copy.count)
      }
      return copy
    }

    /// Whether nothing is left that SQLite opens, and all rows are there.
    var keepsAllRows: Bool { [.headerGone, .headerOfAnother, .firstPageGone, .firstTreeGone].contains(self) }
  }

  /// A rehearsal that fails is an answer, too.
  private static let answering: Set<String> = ["inspect", "rows", "compare", "timeline", "recover", "rehearse"]

  private static let commands: [[String]] = [
    ["inspect", "STORE"], ["inspect", "STORE", "--sizes"], ["rows", "STORE"], ["rows", "STORE", "Note"],
    ["rows", "STORE", "--format", "sqlite", "--output", "NEW"], ["compare", "STORE", "SOUND"],
    ["compare", "SOUND", "STORE"], ["timeline", "STORE"], ["recover", "STORE"], ["diagnose", "STORE"],
    ["repair", "STORE", "--safe"], ["repair", "STORE", "--safe", "--output", "NEW"],
    ["repair", "SOUND", "--restore-from", "STORE"], ["migrate", "STORE", "--model", "MODEL", "--dry-run"],
    ["rehearse", "STORE", "--model", "MODEL"], ["model", "match", "STORE", "MODEL"],
    ["merge", "STORE", "--into", "SOUND"], ["merge", "SOUND", "--into", "STORE"],
  ]

  @Test(arguments: Damage.allCases) func theWayOutIsNamed(_ damage: Damage) throws {
    let sound = Project.path("corpus/Notes.sqlite")
    let bytes = damage.applied(to: try contents(of: sound))
    var ended = 0
    for command in Self.commands {
      let folder = try TemporaryFolder()
      let paths = [
        "STORE": try folder.write(bytes, to: "Damaged.sqlite"), "SOUND": sound, "NEW": folder("New.sqlite"),
        "MODEL": Project.path("corpus/Notes.xcdatamodeld"),
      ]
      let outcome = try Program.run(command.map { paths[$0] ?? $0 })
      let name = "\(damage), \(command): \(outcome.errors)"
      #expect(outcome.signal == nil && outcome.status != 64, "\(name)")
      #expect(!outcome.errors.contains("SQLite result code"), "\(name)")
      let hasEnded = outcome.status == 2 && outcome.output.isEmpty
      if damage.keepsAllRows { #expect(hasEnded != Self.answering.contains(command[0]), "\(name)") }
      guard hasEnded else { continue }
      ended += 1
      #expect(outcome.errors.contains("'storedoctor salvage"), "\(name)")
      #expect(outcome.errors.contains("Damaged.sqlite'"), "\(name)")
    }
    if !damage.keepsAllRows {
      // Of a store of which some pages are lost most commands go on with the rest.
      #expect(damage == .somePagesZero ? ended > 0 : ended > Self.commands.count / 2, "\(ended)")
    }
  }
}
