import StoreFindings
import StoreSourceChecks
import StoreSourceLint
import StoreSwiftDataSchemas
import StoreText
import SwiftDataSource

// var title: String  // storedoctor:ignore SD945 the name was never shown
// // storedoctor:disable SD945, SD946 the name was never shown
// var title: String

/// A comment that accepts findings on its own line, or on the line below.
struct Silence {
  let place: SourcePlace
  /// The accepted findings, and the reason.
  let accepted: SourceLint.Silence
  /// Names in it that are not checks.
  private let unknown: [String]

  private static let words = ["storedoctor:ignore", "storedoctor:disable"]

  /// The comments of a file, by line.
  static func all(in file: SourceFile) -> [Silence] {
    guard file.bytes.mention("storedoctor:") else { return [] }
    let lines = file.bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A }
      .map { String(decoding: $0, as: UTF8.self) }
    var offset = 0
    return lines.indices.compactMap { number -> Silence? in
      defer { offset += lines[number].utf8.count + 1 }
      return Silence(in: lines, line: number, path: file.path, offset: offset)
    }
  }

  private init?(in lines: [String], line number: Int, path: String, offset: Int) {
    let line = lines[number]
    guard let comment = line.firstRange(of: "//"),
      let word = Self.words.compactMap({ line[comment.upperBound...].firstRange(of: $0) }).first
    else { return nil }
    var checks: Set<String> = []
    var unknown: [String] = []
    var rest = line[word.upperBound...].split(whereSeparator: \.isWhitespace)[...]
    // Names come before the reason: they are known names, or look like ids; a comma announces another one.
    while let text = rest.first {
      let name = text.split(separator: ",").joined()
      if let check = SourceCheck.named(name) {
        checks.insert(check.id)
      } else if name.hasPrefix("SD"), name.dropFirst(2).allSatisfy(\.isNumber) {
        unknown.append(name)
      } else {
        break
      }
      rest = rest.dropFirst()
    }
    self.unknown = unknown
    let start = line[..<comment.lowerBound].utf8.count
    place = SourcePlace(
      file: path, line: number + 1, column: start + 1, offset: offset + start, length: line.utf8.count - start)
    // Below a comment may come more comments and attributes before the declaration; a comment after code concerns its
    // own line.
    var last = number
    if Self.isAside(line) {
      last += 1
      while last + 1 < lines.count, Self.isAside(lines[last]) || Self.isAttribute(lines[last]) { last += 1 }
    }
    accepted = SourceLint.Silence(
      file: path, lines: (number + 1)...(last + 1), checks: checks.sorted(), reason: rest.joined(separator: " "))
  }

  private static func isAside(_ line: String) -> Bool { line.drop(while: \.isWhitespace).hasPrefix("//") }

  /// Whether a line consists of an attribute.
  private static func isAttribute(_ line: String) -> Bool {
    let text = line.drop(while: \.isWhitespace)
    return text.hasPrefix("@") && !["var ", "let ", "class ", "struct ", "enum "].contains { text.contains($0) }
  }

  /// Findings about the comment itself.
  var complaints: [SourceFinding] {
    var messages: [String] = []
    if let name = unknown.first { messages.append("there is no check '\(name)' of source to silence") }
    if accepted.checks.isEmpty, unknown.isEmpty {
      messages.append("no check is named to silence, as in 'storedoctor:ignore SD945 reason'")
    } else if accepted.reason.isEmpty {
      messages.append("no reason is given why \(accepted.checks.joined(separator: ", ")) is silenced")
    }
    let check = SourceCheck.unfoundedSilence
    return messages.map { message in
      SourceFinding(check: check.id, severity: .init(check.severity), place: place, message: message)
    }
  }
}
