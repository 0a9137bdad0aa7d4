import Foundation
import TestSupport
import Testing

/// What `import StoreDoctor` makes public changes in no commit unseen.
@Suite struct DigestTests {
  @Test(.enabled(if: Python.isPresent, "needs python3")) func theDigestIsThatOfTheSources() throws {
    let script = "import runpy; runpy.run_path('\(Project.path("scripts/make-api"))', run_name='__main__')"
    let made = String(decoding: try Python.run(script), as: UTF8.self)
    let kept = try String(contentsOfFile: Project.path("docs/api/StoreDoctor.txt"), encoding: .utf8)
    #expect(made.split(separator: "\n").count > 100)
    let differing = Set(made.split(separator: "\n")).symmetricDifference(kept.split(separator: "\n")).sorted()
    #expect(made == kept, "run make api; \(differing.prefix(5))")
  }
}
