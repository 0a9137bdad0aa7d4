// How long models take: hashing one, and reading a bundle of fifty versions of it. Prints both medians.
// bench-model [MODEL [RUNS]]
//
// Without MODEL (any source that `ModelSource` reads) it is a made one of the size of Photos', the largest real model:
// 75 entities with 1,275 properties of their own, 1,581 with the inherited ones.

import StoreDataModel
import StoreGenerator
import StorePlatform
import StoreSQLite
import StoreSystem

func madeModel() throws -> Model {
  let types: [AttributeType] = [
    .integer16, .integer64, .string, .date, .double, .boolean, .binary, .uuid, .transformable,
  ]
  let entities = (0..<75).map { number in
    var entity = Entity(name: "MadeEntity\(number)", parent: number % 4 == 3 ? "MadeEntity\(number - 1)" : nil)
    entity.className = "Made\(number)"
    entity.versionHashModifier = "2"
    for index in 0..<15 {
      let type = types[(number + index) % types.count]
      entity.properties.append(
        .attribute("attribute\(index)Of\(number)", type) {
          if type == .integer64 { $0.defaultValue = .integer(Int64(index)) }
          $0.preservesValueInHistory = index % 5 == 0
        })
    }
    entity.properties.append(.toMany("next", "MadeEntity\((number + 1) % 75)", inverse: "previous"))
    entity.properties.append(.toOne("previous", "MadeEntity\((number + 74) % 75)", inverse: "next"))
    entity.indexes = (0..<3).map { FetchIndex(name: "by\($0)", elements: [.init("attribute\($0)Of\(number)")]) }
    return entity
  }
  return try Model(entities: entities)
}

func median(of count: Int, _ work: () throws -> Void) rethrows -> Duration {
  let times = try (0..<count).map { _ in try ContinuousClock().measure(work) }
  return times.sorted()[count / 2]
}

func milliseconds(_ duration: Duration) -> String {
  let hundredths = Int((duration / .milliseconds(1) * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ms"
}

let runs = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 9 : 9
let path = CommandLine.arguments.dropFirst().first.flatMap { $0.isEmpty ? nil : $0 }
guard let model = try path.map({ try ModelSource.read($0).versions.last?.model }) ?? madeModel() else {
  print("usage: bench-model [MODEL [RUNS]]")
  exit(64)
}
let hashing = median(of: runs * 5) { precondition(model.versionHashes.byEntity.count == model.entities.count) }
print("hashing \(model.entities.count) entities: \(milliseconds(hashing))")

guard let folder = newPrivateFolder(named: "bench-model", in: PosixPath("/tmp")) else {
  print("bench-model: no folder could be made in /tmp")
  exit(2)
}
defer { try? removeFolder(folder) }
let archive = ModelArchive.archive(model)
let files = try PrivateFolder(folder)
for number in 1...50 {
  let entry = try EntryPath(Array("Made.momd/V\(number).mom".utf8), limits: .standard)
  try files.create(entry).write(archive[...], at: 0)
}
let reading = try median(of: runs) {
  let source = try ModelSource.read(folder.appending(component: Array("Made.momd".utf8)).description)
  precondition(source.versions.count == 50 && source.versions[49].model == model)
}
print("reading 50 versions of \(archive.count) bytes: \(milliseconds(reading))")
