// Makes the bundled stores: swift run corpus-maker FOLDER

import StoreGenerator

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

let folder = CommandLine.arguments.dropFirst().first ?? "corpus"
let stores: [(name: String, write: (String) throws -> Void)] = [
  ("Notes.sqlite", SampleStores.writeNotes), ("Shapes.sqlite", SampleStores.writeShapes),
]
for (name, write) in stores {
  let path = "\(folder)/\(name)"
  for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  try write(path)
  print("wrote \(path)")
}
