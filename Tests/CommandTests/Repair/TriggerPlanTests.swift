import Foundation
import StoreSQLite
import TestSupport
import Testing

/// What the store's own triggers change stands in the plan, with the rows, and is counted.
@Suite struct TriggerPlanTests {
  /// The bundled store, with a trigger that counts a folder's deleted notes, and a column for it.
  private func counting(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      """
      UPDATE ZFOLDER SET Z_OPT = 7 WHERE Z_PK = 1;
      UPDATE ZNOTE SET ZTITLE = 'same', ZFOLDER = 1 WHERE Z_PK IN (1, 2, 3);
      CREATE TRIGGER Z_DA_ZNOTE_Folder_noteCount_PARAMETER_DELETE AFTER DELETE ON ZNOTE FOR EACH ROW
        WHEN (OLD.ZFOLDER NOT NULL) BEGIN UPDATE ZFOLDER SET Z_OPT = Z_OPT - 1 WHERE Z_PK = OLD.ZFOLDER; END;
      """)
    return store
  }

  private let words = ["--dedupe", "Note.title", "--others", "delete"]

  @Test func whatATriggerChangesIsAnOperation() throws {
    let folder = try TemporaryFolder()
    let store = try counting(in: folder)
    let plan = try Program.run(["repair", store] + words)
    #expect(plan.status == 0, "\(plan.errors)")
    let text = plan.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("by the store's own triggers: 1 row of 'Folder' gets another Z_OPT"), "\(plan.output)")
    let json = try Program.run(["repair", store, "--format", "json", "--show-values"] + words)
    #expect(json.output.contains(#""byTriggers": true"#), "\(json.output.prefix(2000))")
    let html = try Program.run(["repair", store, "--format", "html"] + words)
    #expect(html.output.contains("by the store&#39;s own triggers") || html.output.contains("own triggers"))
  }

  /// One in one go, one by a saved plan, and in place: each is confirmed, and undone.
  @Test func itIsConfirmedWhereItIsCarriedOut() throws {
    let folder = try TemporaryFolder()
    let store = try counting(in: folder)
    let original = try contents(of: store)
    let plan = folder("plan.json")
    #expect(try Program.run(["repair", store, "--plan-out", plan] + words).status == 0)
    for (number, command) in [
      ["repair", store] + words + ["--allow-lossy", "--output", folder("r0.sqlite")],
      ["apply", plan, "--store", store, "--allow-lossy", "--output", folder("r1.sqlite")],
      ["apply", plan, "--store", store, "--allow-lossy", "--in-place", "--journal", folder("journal")],
    ].enumerated() {
      let outcome = try Program.run(command)
      #expect(
        outcome.status == 0 && outcome.output.contains("verified"), "\(number): \(outcome.output)\(outcome.errors)")
      let result = number < 2 ? folder("r\(number).sqlite") : store
      let row = try Connection(writing: result, create: false).prepare("SELECT Z_OPT FROM ZFOLDER WHERE Z_PK = 1")
      #expect(try row.step() && row.int64(0) < 7)
    }
    #expect(try Program.run(["undo", folder("journal")]).status == 0)
    let same = folder("same.sqlite")
    try Data(original).write(to: URL(fileURLWithPath: same))
    #expect(try Program.run(["compare", store, same]).status == 0)
  }
}
