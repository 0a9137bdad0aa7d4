import Foundation
import TestSupport
import Testing

/// The paths named in `docs/architecture.md` exist, and all modules are in its picture and in the table in
/// CONTRIBUTING.
@Suite struct ArchitectureTests {
  private let page: String
  private let contributing: String
  private let package: String

  init() throws {
    func text(_ path: String) throws -> String { try String(contentsOfFile: Project.path(path), encoding: .utf8) }
    page = try text("docs/architecture.md")
    contributing = try text("CONTRIBUTING.md")
    package = try text("Package.swift")
  }

  @Test func everyPathThatIsNamedExists() {
    let paths = page.matches(of: /`((?:Sources|Tests|corpus|docs)\/[^`]*|[A-Za-z]+\.(?:swift|md))`/).map {
      String($0.1)
    }
    #expect(paths.count > 40)
    for path in paths { #expect(FileManager.default.fileExists(atPath: Project.path(path)), "\(path)") }
  }

  @Test func modulesAreThoseOfThePackage() throws {
    let modules = Set(
      package.matches(of: /\.(?:target|executableTarget|systemLibrary)\(\s*name: "([^"]+)"/).map { String($0.1) })
    #expect(modules.count > 30)
    let picture = try #require(page.split(separator: "```").dropFirst().first)
    let drawn = Set(
      picture.matches(
        of:
          /\b(?:C?Store|SwiftData|SQLite|FoundationE)[A-Za-z]+|TestSupport|[a-z]+-(?:maker|store|model|scan|target)/
      ).map { String($0.0) }
    )
    .subtracting(["storedoctor-swiftdata"])
    #expect(drawn == modules)
    for module in modules { #expect(contributing.contains("`\(module)`"), "\(module) is not in CONTRIBUTING's table") }
  }

  /// Where a command does not say its name, it is made of its type's each time the program starts: half a million
  /// instructions, a quarter of a start.
  @Test func everyCommandSaysItsName() throws {
    let sources = Project.path("Sources")
    var commands = 0
    for file in try FileManager.default.subpathsOfDirectory(atPath: sources) where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      for configuration in text.components(separatedBy: "= CommandConfiguration(").dropFirst() {
        commands += 1
        #expect(configuration.drop(while: \.isWhitespace).hasPrefix("commandName:"), "\(file)")
      }
    }
    #expect(commands > 30)
  }

  /// Foundation brings ICU, which is more than all of our program. Only files that are for an app's project import it.
  @Test func nothingImportsFoundation() throws {
    let sources = Project.path("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("StoreStageFunctions/") && !$0.hasSuffix("/embeddedSwift.swift")
    }
    #expect(files.count > 500)
    for file in files {
      let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
      #expect(!text.contains(/(?:^|\n)\s*(?:[a-z]+ )?import Foundation/), "\(file)")
    }
  }
}
