import StoreJSON
import StoreModels
import ArgumentParser
import StoreReports

/// `storedoctor model hash M`.
struct ModelHash: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Compute the version hashes, digest and checksum that Core Data would.",
    discussion: """
      Of a bundle all versions are shown side by side. A version's hashes are what a store made with it has in its \
      metadata, and its checksum is what a staged migration knows it by. With --spelling swift, versions that Swift \
      source does not tell whole are left out and named, and the exit status is 2; so it is where a version cannot be read, \
      or a hash that was asked for is not known.

      EXAMPLES
        storedoctor model hash Notes.xcdatamodeld
        storedoctor model hash 'Notes.xcdatamodeld#Notes 2' --spelling swift
        storedoctor model hash Notes.sqlite --entity Note --spelling base64
        storedoctor model hash Sources/
        storedoctor model hash Notes.momd --format json \\
          | jq -r '.versions[] | [.name, .checksum] | @tsv'
      """)

  @Argument(help: "The model, a bundle of them, or a store.", completion: .file())
  var model: String

  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp("Show the hash of this entity only. Repeatable.", valueName: "name"), completion: .entities)
  var entities: [String] = []

  @Option(help: "How hashes are spelled in text: hex, base64 or swift. By default short ones side by side.")
  var spelling: HashSpelling?

  @OptionGroup(title: HelpGroup.source) var source: SourceArguments

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      var source = try self.source.model(model)
      var leftOut: [String] = []
      // Hashes that are pasted into a plan must be certain.
      if spelling == .swift { (source, leftOut) = try source.whole() }
      let listing = try HashListing(source, entities: entities)
      switch output.format {
      case .json: try standardOutput(listing.json.text)
      case .text:
        let whole: HashSpelling? = entities.isEmpty ? nil : .hex
        try standardOutput(listing.text(width: output.width, isStyled: output.isStyled, spelling: spelling ?? whole))
      }
      try endReportingLeftOut(leftOut.isEmpty ? source.unreadable : leftOut)
      if !listing.isKnown { throw ExitCode(2) }
    }
  }
}

extension HashSpelling: ExpressibleByArgument {}
