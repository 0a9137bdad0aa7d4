import StoreDataModel
import StoreDigests
import Foundation
import TestSupport
import Testing

/// The example in `docs/format/version-hash.md` is read from the page and computed.
@Suite struct VersionHashPageTests {
  @Test func everyLineOfTheExampleIsTheHashOfItsBytes() throws {
    let lines = try Line.all()
    #expect(lines.count(where: { $0.recipe != nil }) == 9)
    var known: [String: [UInt8]] = [:]
    for line in lines {
      if let recipe = line.recipe { #expect(try recipe.hash(known) == line.hash, "\(line.name)") }
      known[line.name] = line.hash
    }
  }

  @Test func theModelOfTheExampleHasTheseHashes() throws {
    let lines = Dictionary(try Line.all().map { ($0.name, $0.hash) }) { first, _ in first }
    let contents = try #require(try page().firstMatch(of: /```xml\n((?s).*?)```/)).1
    let hashes = try XcodeModel(Array(contents.utf8)).model.versionHashes
    #expect(hashes.names == ["SyncFeatureEntity", "SyncableSettingsMetadata"])
    #expect(hashes.byEntity["SyncFeatureEntity"]?.bytes == lines["feature"])
    #expect(hashes.byEntity["SyncableSettingsMetadata"]?.bytes == lines["settings"])
    #expect(hashes.checksum == lines["checksum"])
    #expect(hashes.digest == lines["digest"])
  }
}

private func page() throws -> String {
  String(decoding: try contents(of: Project.path("docs/format/version-hash.md")), as: UTF8.self)
}

/// A line of the example: a name with what is hashed, and the hash below it; or a name with a given hash.
private struct Line {
  var name: String
  var recipe: Recipe?
  var hash: [UInt8]

  static func all() throws -> [Line] {
    var lines: [Line] = []
    for block in try page().matches(of: /```hash\n((?s).*?)```/) {
      for text in block.1.split(separator: "\n") {
        if text.hasPrefix(" ") {
          lines[lines.count - 1].hash += try #require(bytes(text.filter { $0 != " " }))
        } else {
          let match = try #require(text.wholeMatch(of: /(.+?)  +(SHA-\d+) (.+)|(.+?)  +([0-9a-f]+)/))
          let recipe = match.2.map { Recipe(algorithm: String($0), pieces: String(match.3 ?? "")) }
          lines.append(
            Line(
              name: String(match.1 ?? match.4 ?? ""), recipe: recipe, hash: match.5.flatMap { bytes(String($0)) } ?? [])
          )
        }
      }
    }
    return lines
  }
}

private struct Recipe {
  var algorithm: String
  var pieces: String

  /// The hash of the pieces: text in quotation marks, in parentheses the name of a line above for its hash, and bytes.
  func hash(_ known: [String: [UInt8]]) throws -> [UInt8] {
    let content = try pieces.matches(of: /"(.*?)"|\((.*?)\)|([0-9a-f]{2})|(\S)/).flatMap { piece -> [UInt8] in
      if let text = piece.1 { return Array(text.utf8) }
      if let name = piece.2 { return try #require(known[String(name)], "\(name)") }
      return try #require(bytes(String(piece.3 ?? "?")), "\(piece.0)")
    }
    return algorithm == "SHA-512" ? Digests.sha512(content) : Digests.sha256(content)
  }
}

private func bytes(_ digits: String) -> [UInt8]? {
  let values = digits.compactMap(\.hexDigitValue)
  guard values.count == digits.count, values.count % 2 == 0 else { return nil }
  return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
}
