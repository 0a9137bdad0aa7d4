import ArgumentParser
import StoreAnonymizing
import StoreSQLite
import StoreWords
import StoreYAML

extension AnonymizingSizes: ExpressibleByArgument {}

extension AnonymizingPolicy {
  /// The policy in the file of `--policy`.
  init(file path: String) throws {
    let file = try EvidenceFile(PosixPath(argument: path))
    let bytes = try file.read(at: 0, count: Int(clamping: min(file.size, 1 << 20)))
    do throws(YAMLError) {
      self = try AnonymizingPolicy(yaml: bytes)
    } catch {
      throw ValidationError("--policy \(quoted(path)): \(error)")
    }
  }
}

/// Where a copy of a store goes.
struct CopyDestination: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write the copy to this path, readable by you alone. STORE is only read.", valueName: "path"),
    completion: .file())
  var output: String

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false
}

/// What becomes of the values of a store in its copy.
struct ValueArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("What becomes of attributes, in YAML as --policy-out writes it.", valueName: "file"),
    completion: .file())
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Write what was decided for each attribute, and why, to a file that does not exist.", valueName: "file"))
  var policyOut: String?

  @Option(
    help: ArgumentHelp(
      "Keep the values of this attribute, or of all of an entity. Repeatable.", valueName: "entity[.attribute]"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Put NULL in the place of these values; objects and links stay. Repeatable.", valueName: "entity[.attribute]"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Whether lengths of texts and bytes stay (exact), or become the end of their class (rough): 1, 2, 3, 4, 6, 8, 12, 16, \
      24 and so on.
      """, valueName: "exact|rough"))
  var sizes: AnonymizingSizes = .exact

  @Option(
    help: ArgumentHelp(
      """
      Copy at most so many objects of each entity, those that findings name first, and the objects that these cannot be \
      without. Other links become NULL.
      """, valueName: "n"))
  var sample: Int?

  func validate() throws {
    if let sample, !(1...1_000_000).contains(sample) {
      throw ValidationError("--sample is a number from 1 to 1,000,000")
    }
    if let both = Set(keep).intersection(drop).sorted(by: codeUnitsPrecede).first {
      throw ValidationError("\(quoted(both)) is given to --keep and to --drop")
    }
  }
}

/// How what was copied is written.
struct AnonymizingOutput: ParsableArguments, StyledOutput {
  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Flag(help: "Show no progress.")
  var quiet = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}
