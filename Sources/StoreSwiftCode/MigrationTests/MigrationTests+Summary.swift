import StoreReports
import StoreWords

extension MigrationTests {
  /// A summary of the written files, for people.
  ///
  /// - Parameters:
  ///   - folder: where it was written.
  ///   - width: columns of the terminal.
  ///   - isStyled: whether escape sequences may be used.
  package func summary(of folder: String, width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    let tested = Int64(versions.count { $0.obstacle == nil })
    page.paragraph(
      "made \(quoted(folder)): tests of \(grouped(tested)) of \(counted(Int64(versions.count), "version")), migrated to "
        + quoted(escapedForTerminal(current)), indent: 0, first: "", style: .strong)
    page.table(
      ["version", "fixture", "test"],
      rows: versions.map { version in
        [
          escapedForTerminal(version.name), version.fixture.map { "Fixtures/\($0).\(fileExtension)" } ?? "none",
          version.obstacle == nil ? "written" : "disabled",
        ]
      })
    let obstacles = versions.compactMap { version in version.obstacle.map { (version.name, $0) } }
    if !obstacles.isEmpty {
      page.section("Not tested")
      for (name, reason) in obstacles { page.paragraph(escapedForTerminal("\(name): \(reason)"), first: "- ") }
    }
    page.section("Not proved")
    page.paragraph(
      "the tests were never run: Apple's frameworks are not here. Whoever runs them tests these verdicts; please report what "
        + "is different")
    return page.text
  }
}
