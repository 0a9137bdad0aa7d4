// Makes the bundled stores and models, and on request model archives as seeds for fuzzing:
// swift run corpus-maker FOLDER [SEED-FOLDER]

import StoreDataModel
import StorePlatform
import StorePropertyLists
import StoreGenerator

let folder = CommandLine.arguments.dropFirst().first ?? "corpus"
let stores: [(name: String, write: (String) throws -> Void)] = [
  ("Notes.sqlite", SampleStores.writeNotes), ("Shapes.sqlite", SampleStores.writeShapes),
  ("Club.sqlite", SampleStores.writeClub), ("Shop.sqlite", SampleStores.writeShop),
  ("School.sqlite", SampleStores.writeSchool), ("SchoolBridge.sqlite", SampleStores.writeSchoolBridge),
  ("Guests.sqlite", SampleStores.writeGuests),
]
// The source beside these is written by hand.
let builds = SampleModels.TripsBuild.allCases.map { build in
  ("Trips/\(build.rawValue)", { (path: String) in try SampleStores.writeTrips(of: build, to: path) })
}
for (name, write) in stores + builds {
  let path = "\(folder)/\(name)"
  for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  try write(path)
  print("wrote \(path)")
}

for (name, files) in [
  ("Guests", try SampleBundle.guests()), ("Notes", try SampleBundle.notes()), ("School", try SampleBundle.school()),
] {
  let bundle = "\(folder)/\(name).xcdatamodeld"
  for (path, text) in files {
    let file = "\(bundle)/\(path)"
    // Only the last folder may be missing: the bundle's own, or that of one version.
    for parent in [
      bundle, file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"),
    ] {
      mkdir(parent, 0o755)
    }
    try write(Array(text.utf8), to: file)
  }
  print("wrote \(bundle)")
}

if let seeds = CommandLine.arguments.dropFirst(2).first {
  for (name, model) in [("notes", try SampleModels.notes()), ("shapes", try SampleModels.shapes())] {
    let archive = ModelArchive.archive(model)
    // The first byte tells Fuzz/ModelFuzzer.swift what follows.
    try write([0] + archive, to: "\(seeds)/\(name)-archive")
    try write([1] + RawDeflate.deflate(archive), to: "\(seeds)/\(name)-cache")
  }
}

func write(_ bytes: [UInt8], to path: String) throws {
  guard let file = fopen(path, "w") else { throw GeneratorError(description: "cannot write '\(path)'") }
  defer { fclose(file) }
  guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
    throw GeneratorError(description: "cannot write '\(path)'")
  }
}
