import Foundation
import TestSupport
import Testing

/// In the static program names of types and cases are empty: what an error says is what its `description` says.
@Suite struct ErrorWordsTests {
  /// An error without words of its own would be printed as nothing.
  @Test func everyErrorDescribesItself() throws {
    var declared: [ErrorType: String] = [:]
    var described: Set<ErrorType> = []
    let sources = Project.path("Sources")
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources) where file.hasSuffix(".swift") {
      // Files for an app's project are not in the program.
      guard !file.hasPrefix("StoreStageFunctions/"), !file.hasPrefix("StoreSwiftCode/") else { continue }
      let module = String(file.prefix { $0 != "/" })
      for declaration in declarations(in: try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)) {
        let type = ErrorType(module: module, name: declaration.name)
        let words: Set = ["CustomStringConvertible", "LocalizedError", "NamesCallerChoices"]
        if !words.isDisjoint(with: declaration.conformances) { described.insert(type) }
        if declaration.conformances.contains("Error") { declared[type] = file }
      }
    }
    #expect(declared.count > 90)
    for (type, file) in declared where !described.contains(type) {
      Issue.record("Sources/\(file): \(type.name) is an Error without CustomStringConvertible")
    }
  }

  private struct ErrorType: Hashable {
    var module: String
    var name: String
  }

  /// The types and extensions of a file with what they conform to.
  private func declarations(in text: String) -> [(name: String, conformances: Set<String>)] {
    text.matches(of: /(?:struct|enum|class|actor|extension) ([\w.]+)(?:<[^>]*>)?: ([^{]*)\{/).map { match in
      let name = String(match.1.split(separator: ".").last ?? "")
      return (name, Set(match.2.split { !$0.isLetter }.map(String.init)))
    }
  }
}
