import StoreWords
import StoreYAML

// version: 1
// attributes:
//   Note.title: replace
//   Note.state: keep
//   Attachment: drop

extension AnonymizingPolicy {
  /// Reads a policy.
  ///
  /// - Throws: `YAMLError` with the line.
  package init(yaml bytes: [UInt8]) throws(YAMLError) {
    self.init()
    guard let document = try YAMLNode.reading(bytes) else {
      throw YAMLError(line: nil, "it is empty; 'version: 1' is expected, and 'attributes'")
    }
    let members = try document.members(["version", "attributes"])
    guard let version = members["version"] else { throw YAMLError(line: nil, "'version: 1' is missing") }
    let number = try version.count()
    guard number == 1 else {
      throw version.error("version \(number) is not known here; this storedoctor knows version 1")
    }
    guard let attributes = members["attributes"] else { return }
    for entry in try attributes.entries() {
      let word = try entry.value.text()
      guard let decision = Decision(rawValue: word) else {
        throw entry.value.error("\(quoted(word)) is none of keep, replace and drop")
      }
      decide(entry.name, decision)
    }
  }
}

extension Anonymization {
  /// What was decided, as a policy that `--policy` takes: a line an attribute, with the reason.
  package var policy: String {
    var lines = [
      "# What becomes of each attribute: keep, replace or drop (NULL). Edit it and give it to --policy.", "version: 1",
      "attributes:",
    ]
    if sizes == .rough {
      lines.insert("# Lengths of texts and bytes are those of their class (--sizes rough).", at: 1)
    }
    for attribute in attributes {
      let count = attribute.values == 0 ? "no values" : counted(attribute.values, "value")
      let distinct = attribute.distinct.map { ", \($0 > 1000 ? "over 1,000" : grouped(Int64($0))) different" } ?? ""
      let why = (attribute.why + "; " + count + distinct).map { $0.isNewline ? " " : $0 }
      lines.append("  \(Self.key(attribute.name)): \(attribute.decision.rawValue)  # \(String(why))")
    }
    if attributes.isEmpty { lines[lines.count - 1] = "attributes: {}" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A key as YAML reads it back.
  private static func key(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x5f || $0 == 0x2e
    }
    return isPlain ? name : "'" + name.replacing("'", with: "''") + "'"
  }
}
