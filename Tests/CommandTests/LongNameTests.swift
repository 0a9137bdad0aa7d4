import TestSupport
import Testing

/// A file name has at most 255 bytes. With more than 247, there is no room for "-journal" behind it, so such a store
/// has no side files.
@Suite struct LongNameTests {
  @Test(arguments: [247, 248, 251, 252, 255]) func aStoreOfALongNameIsRead(length: Int) throws {
    let folder = try TemporaryFolder()
    let place = try TemporaryFolder()
    let name = String(repeating: "n", count: length - ".sqlite".count) + ".sqlite"
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name)
    let commands = [
      ["inspect", store], ["diagnose", store], ["repair", store, "--safe"], ["model", "hash", store],
      ["model", "match", store, Project.path("corpus/Notes.xcdatamodeld")], ["audit", "--no-config", folder.path],
      ["repair", Project.path("corpus/Notes.sqlite"), "--safe", "--output", place(name)], ["diagnose", place(name)],
    ]
    for command in commands {
      let run = try Program.run(command)
      #expect(run.status == 0 && !run.output.isEmpty, "\(command.prefix(2)) \(run.errors)")
    }
  }
}
