import StorePlatform
import StoreRepair
import ArgumentParser
import StoreSQLite

/// The repairs to make, from a file and from options.
struct RecipeArguments: ParsableArguments {
  @Option(
    name: .customLong("recipe"),
    help: ArgumentHelp("A recipe in YAML; - for standard input. Options add to it.", valueName: "file"),
    completion: .file())
  var recipeFile: String?

  @Flag(help: "Every safe repair that needs no argument.")
  var safe = false

  @Option(
    help: "Keys that lead to no object: nullify, nullify-optional, delete-source or restore-from-history.")
  var dangling: String?

  @Option(help: "Keys that lead to an object of the wrong entity: nullify.")
  var wrongEntity: String?

  @Option(
    help: ArgumentHelp(
      "Make the sides of a one-to-one relationship agree: 'Person.passport=this' or '=other'. Repeatable.",
      valueName: "side"))
  var inverses: [String] = []

  @Option(
    help: ArgumentHelp(
      "Repairs of what Core Data keeps beside the values, with commas: \(Recipe.Structure.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "names"))
  var structure: [String] = []

  @Option(
    help: ArgumentHelp(
      "Remove persistent history: 'before:2026-03-01', or 'keep:1000', all but the newest transactions.",
      valueName: "what"))
  var trimHistory: String?

  @Flag(
    help:
      "Write the file anew without its free pages; what 'recover' could find there is gone for good.")
  var compact = false

  /// The recipe of file and options together.
  ///
  /// - Throws: `ValidationError` for options, `RecipeMistakes` for a recipe that cannot be followed.
  func recipe(
    _ duplicates: DuplicateArguments, _ filling: BackfillArguments, _ linking: RelinkArguments
  ) throws -> Recipe {
    let options = given(duplicates, filling, linking)
    // Options are checked first, so that standard input is not read in vain.
    do throws(RecipeMistakes) { _ = try options.recipe(naming: \.option) } catch {
      throw ValidationError(error.mistakes.map(\.description).joined(separator: "\n"))
    }
    return try options.recipe(addingTo: try file(), naming: \.option)
  }

  private func file() throws -> Recipe {
    guard let recipeFile else { return Recipe() }
    guard recipeFile == "-" else { return try Recipe(PosixPath(argument: recipeFile)) }
    do throws(RecipeMistakes) {
      return try Recipe(reading: standardInput(atMost: Recipe.maximumBytes + 1))
    } catch {
      throw RecipeMistakes(path: "standard input", error.mistakes)
    }
  }

  private func given(
    _ duplicates: DuplicateArguments, _ filling: BackfillArguments, _ linking: RelinkArguments
  ) -> RecipeOptions {
    var options = RecipeOptions()
    options.dedupe = duplicates.dedupe
    options.compare = duplicates.compare
    options.nulls = duplicates.nulls
    options.keep = duplicates.keep
    options.others = duplicates.others
    options.backfill = filling.backfill
    options.backfillFrom = filling.backfillFrom
    options.backfillGroup = filling.backfillGroup
    options.backfillExpression = filling.backfillExpression
    options.backfillGenerate = filling.backfillGenerate
    options.relink = linking.relink
    options.match = linking.matches
    options.separator = linking.separator
    options.junctions = linking.junctions
    options.dangling = dangling
    options.wrongEntity = wrongEntity
    options.inverses = inverses
    options.structure = structure
    options.trimHistory = trimHistory
    options.compact = compact
    options.safe = safe
    return options
  }
}

/// What becomes of rows that are equal.
struct DuplicateArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make one of rows that are equal: 'Trip.name' or 'Trip.name,start'. Repeatable.", valueName: "key"))
  var dedupe: [String] = []

  @Option(
    help: ArgumentHelp(
      "Which row --dedupe keeps: first, last, most-complete, most-linked, newest:ATTRIBUTE or oldest:ATTRIBUTE.",
      valueName: "row"))
  var keep: String?

  @Option(
    help: ArgumentHelp(
      "What --dedupe does with the other rows: merge, delete, or 'rename:{name} ({n})'.", valueName: "what"))
  var others: String?

  @Option(help: "How texts are compared by --dedupe and --relink: exact, trimmed, casefolded or normalized.")
  var compare: String?

  @Option(help: "Whether NULLs are equal for --dedupe: distinct or equal.")
  var nulls: String?
}

/// What NULLs are filled with.
struct BackfillArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Fill NULLs with a value: 'Note.title=Untitled'. Repeatable.", valueName: "value"))
  var backfill: [String] = []

  @Option(
    help: ArgumentHelp("Fill NULLs from another attribute: 'Note.createdAt=modifiedAt'. Repeatable.", valueName: "path")
  )
  var backfillFrom: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fill NULLs with the first value of rows equal in these: 'Note.color=folder'. Repeatable.", valueName: "names"))
  var backfillGroup: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fill NULLs with what is computed: 'Foo.dateInt=unix(date)'; docs/expressions.md has the functions. Repeatable.",
      valueName: "expression"))
  var backfillExpression: [String] = []

  @Option(
    help: ArgumentHelp(
      "Fill NULLs with what is made: 'Item.uuid=uuid', or now, sequence, default. Repeatable.", valueName: "kind"))
  var backfillGenerate: [String] = []
}

/// Which links are made.
struct RelinkArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Find the objects of an empty relationship again: 'Note.folder', by --match or else by its inverse.",
      valueName: "relationship"))
  var relink: String?

  @Option(
    name: .customLong("match"),
    help: ArgumentHelp("What --relink compares: 'folderName=name'. Repeatable.", valueName: "attributes"))
  var matches: [String] = []

  @Option(help: "What stands between the texts of a list that --relink matches.")
  var separator: String?

  @Option(
    name: .customLong("junction"),
    help: ArgumentHelp(
      "Make an object for each link of a many-to-many relationship: 'Student.courses=Enrollment.student,course'. Repeatable.",
      valueName: "entity"))
  var junctions: [String] = []
}

extension RecipeOptions.Name {
  /// The option on a command line: `--backfill-from`.
  var option: String {
    switch self {
    case .backfillFrom: "--backfill-from"
    case .backfillGroup: "--backfill-group"
    case .backfillExpression: "--backfill-expression"
    case .backfillGenerate: "--backfill-generate"
    case .junctions: "--junction"
    case .wrongEntity: "--wrong-entity"
    case .trimHistory: "--trim-history"
    case .dedupe, .compare, .nulls, .keep, .others, .backfill, .relink, .match, .separator, .dangling, .inverses,
      .structure:
      "--\(rawValue)"
    }
  }
}

/// Standard input up to a limit; ends early where it cannot be read.
private func standardInput(atMost limit: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count < limit {
    let room = min(piece.count, limit - bytes.count)
    let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, room) }
    if count < 0 && errno == EINTR { continue }
    if count <= 0 { break }
    bytes += piece.prefix(count)
  }
  return bytes
}
