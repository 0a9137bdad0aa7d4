import ArgumentParser
import StoreCoreData
import StoreRepair
import StoreScanning
import StoreSQLite
import StoreWords

/// `storedoctor merge OLD --into NEW`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Take the objects of another store into a store. Shows a plan unless told where to write.",
    discussion: """
      For two stores of one user: a move to another place that failed, a fallback that was started empty. OLD is only read; its \
      objects are taken into NEW, with their links from both sides. Which objects both have is told by the attributes that --by \
      names, else by what the model says is unique, else, where the stores have one UUID, by their keys (Z_PK). Where one of those \
      values is NULL, by their keys, or where the UUIDs differ by all values. If nothing tells it of an entity, nothing is merged.

      Objects that only OLD has are taken: with their keys where these are free, else with new ones. Of objects that both have \
      NEW's values stay where they are the same; where they differ, --conflicts says which count, and without it nothing is \
      merged. Their links are those of both: to-many relationships get the members of both, a to-one relationship that is empty \
      in NEW leads to what it leads to in OLD, and any other stays.

      Both stores have to be of one version of the model: 'storedoctor migrate' brings a copy of the older one there. What is \
      written is diagnosed before it counts, as 'storedoctor repair' does it, and --in-place leaves a journal for 'undo'. Values \
      of NEW that are replaced need --allow-lossy.

      EXIT STATUS
        0   planned, or merged and verified
        2   could not do the work, or refused it
        64  wrong usage

      EXAMPLES
        storedoctor merge Old.sqlite --into Notes.sqlite --by Note.uuid --by Tag.name
        storedoctor merge Old.sqlite --into Notes.sqlite --by Note.uuid \\
          --conflicts newest:Note.modifiedAt --allow-lossy --output Merged.sqlite
        storedoctor merge Old.sqlite --into Notes.sqlite --conflicts keep:new \\
          --in-place
      """)

  @Argument(help: "The store whose objects are taken; it is only read.", completion: .file())
  var old: String

  @Option(help: ArgumentHelp("The store that gets them.", valueName: "store"), completion: .file())
  var into: String

  @Option(
    help: ArgumentHelp(
      "The attributes whose values tell which objects of an entity are the same in both; once for each entity.",
      valueName: "entity.attribute,..."))
  var by: [String] = []

  @Option(
    help: ArgumentHelp(
      "Which values count of objects that both have: those of the object with the later 'newest:Entity.attribute', or of all "
        + "other entities 'keep:new' or 'keep:old'.", valueName: "rule"))
  var conflicts: [String] = []

  @OptionGroup(title: HelpGroup.place) var destination: DestinationArguments

  @OptionGroup(title: HelpGroup.allowed) var allowed: AllowanceArguments

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @OptionGroup(title: HelpGroup.output) var output: PlanOutput

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws { _ = try item() }

  func run() throws {
    let place = try RepairPlace(destination, log, allowed)
    if output.format == .html, !place.isDryRun {
      throw ValidationError("--format html is for a plan: leave --output and --in-place away")
    }
    var recipe = Recipe()
    recipe.merge = [try item()]
    try RepairRun(
      store: into, model: .parse([]), candidates: .parse([]), requirement: .parse([]), place: place,
      output: output, sources: [old], word: "merging into"
    ).carryOut(recipe)
  }

  /// What the options ask for.
  private func item() throws -> Recipe.MergedStore {
    var item = Recipe.MergedStore(from: old)
    for word in by {
      guard let key = UniqueKey(word) else { throw ValidationError("--by takes Entity.attribute, such as Note.uuid") }
      guard item.by.updateValue(key.properties, forKey: key.entity) == nil else {
        throw ValidationError("--by names attributes of \(quoted(key.entity)) twice; separate them by commas")
      }
    }
    for word in conflicts {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      switch (parts.first, parts.last) {
      case ("newest", let name?) where parts.count == 2:
        guard let key = UniqueKey(name), key.properties.count == 1, let attribute = key.properties.first else {
          throw ValidationError("--conflicts newest: takes Entity.attribute, such as newest:Note.modifiedAt")
        }
        guard item.newest.updateValue(attribute, forKey: key.entity) == nil else {
          throw ValidationError("--conflicts newest: names \(quoted(key.entity)) twice")
        }
      case ("keep", let side?) where parts.count == 2 && Recipe.MergedStore.Side(rawValue: side) != nil:
        guard item.keep == nil else { throw ValidationError("--conflicts keep: is given twice") }
        item.keep = Recipe.MergedStore.Side(rawValue: side)
      default: throw ValidationError("--conflicts takes newest:Entity.attribute, keep:new or keep:old")
      }
    }
    return item
  }
}
