import ArgumentParser

/// `storedoctor model`.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Read models, compute their version hashes, and find which version a store is.",
    discussion: """
      M is anything that describes a model, told by its content: a compiled model (.momd, .mom), Xcode's source \
      (.xcdatamodeld, .xcdatamodel), Swift source with SwiftData's classes (a file, folder or package), storedoctor's \
      JSON, or a store, which carries its model since 2016. A bundle, and source, stand for all their versions; \
      'Notes.momd#Notes 2' and 'Sources/#SchemaV2' are one of them. Swift source is read by storedoctor-swiftdata, \
      which lies beside storedoctor; nothing of it is run.

      EXAMPLES
        storedoctor model match Notes.sqlite Notes.xcdatamodeld
        storedoctor model hash Notes.xcdatamodeld
        storedoctor model diff Notes.sqlite 'Notes.xcdatamodeld#Notes 3'
        storedoctor model check Notes.xcdatamodeld --pins released.json
        storedoctor model match default.store Sources/
      """,
    subcommands: [
      ModelShow.self, ModelHash.self, ModelDiff.self, ModelMatchCommand.self, ModelConvert.self, ModelSample.self,
      ModelPin.self,
      ModelCheck.self,
    ])
}
