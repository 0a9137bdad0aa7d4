import StoreJSON
import StoreWords
import StoreDiagnosis
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports

/// `storedoctor repair STORE`.
struct Repair: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Mend a store: duplicates, missing values, broken links. Shows a plan unless told where to write.",
    discussion: """
      A recipe says what is wanted, in YAML (--recipe) or as options; the plan says what that comes to for this store: \
      which rows would change (the first ten of each operation, with --examples N more, with --format json all), what \
      cannot be done and why, and what the store would be like afterwards. Values of rows are shown with --show-values \
      only. The plan is made by trying it out on a private copy, and nothing is written unless one of these says where:

        --output PATH     a repaired copy; STORE is not touched, and is the backup
        --in-place        STORE itself, with a journal beside it, for 'undo'
        --plan-out FILE   the plan, for review and for 'storedoctor apply'

      What is written is diagnosed again before it counts: what was treated is gone, nothing new is broken, and the \
      numbers of rows are those of the plan. Otherwise nothing is left behind and the status is 2. --verbose then compares \
      the objects of both, and prints the summary of 'storedoctor compare' on standard error.

      Repairs that lose something need --allow-lossy, those of the metadata --allow-metadata. In a store that CloudKit \
      mirrors no row is deleted without --allow-mirrored.

      With --model the aim is that the store opens with that model: the plan says what the model does with the store \
      before and after, NULLs that it does not allow any more get the model's own default, and every row that is still \
      in the way is listed with the options that mend it. Nothing else is added to the recipe. --require migrates makes \
      the status 2, and writes nothing, unless the store then opens or migrates.

      --restore-from puts objects back that an older copy of the store has and the store has not: with their keys and \
      values, and the links from and to them that are empty now. The copy is a state of the same store (the same UUID and \
      version), such as one from a backup, or STORE@N, the store as of a commit of its own write-ahead log. --restore puts \
      deleted objects back, in the same way, of which a report of 'recover --format json' has the values: look at it \
      first, and choose with --entity, --key and --where.

      --trim-history removes persistent history: transactions before a day or moment ('before:2026-03-01', UTC), or all but the \
      newest ('keep:1000'), with their changes. The newest always stays, and so does what a token in the metadata or \
      CloudKit's mirror still needs: then the plan is refused, and says how much has to stay. --compact writes the file anew \
      without its free pages: what 'recover' could find there of deleted rows is gone for good. The plan says both sizes. \
      Undo of it is all or nothing. Both need --allow-lossy.

      --in-place needs the store to itself: quit the app or simulator that has it open. Whether another machine has it \
      open, over a network share, cannot be seen from here.

      EXIT STATUS
        0   planned, or repaired and verified, whatever findings remain
        2   could not do the work, or refused it; with --require migrates also
            where it would not migrate
        64  wrong usage

      EXAMPLES
        storedoctor repair Notes.sqlite --safe
        storedoctor repair Notes.sqlite --safe --output Repaired.sqlite
        storedoctor repair Trips.sqlite --dedupe Trip.name --keep newest:updatedAt \\
          --output Repaired.sqlite
        storedoctor repair Notes.sqlite --backfill Note.title=Untitled \\
          --dangling nullify --in-place
        storedoctor repair Notes.sqlite --relink Note.folder --match folderName=name
        storedoctor repair Notes.sqlite --recipe clean-up.yaml --plan-out plan.json
        storedoctor repair Notes.sqlite --restore-from Backup/Notes.sqlite \\
          --entity Note --key 3,7 --related --output Repaired.sqlite
        storedoctor recover Notes.sqlite --format json > report.json
        storedoctor repair Notes.sqlite --restore report.json --entity Note \\
          --where 'title BEGINSWITH "Trip"' --output Repaired.sqlite
        storedoctor repair Notes.sqlite --trim-history before:2026-01-01 --compact \\
          --allow-lossy --output Smaller.sqlite
        storedoctor repair Notes.sqlite --model Notes.momd
        storedoctor repair Notes.sqlite --model Notes.momd --dedupe Note.uuid \\
          --require migrates --output Repaired.sqlite
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @OptionGroup(title: "What to mend") var recipe: RecipeArguments

  @OptionGroup(title: "Rows that are equal") var duplicates: DuplicateArguments

  @OptionGroup(title: "Values that are missing") var filling: BackfillArguments

  @OptionGroup(title: "Links that are missing") var linking: RelinkArguments

  @OptionGroup(title: "What to put back") var restoring: RestoreArguments

  @OptionGroup(title: HelpGroup.place) var destination: DestinationArguments

  @OptionGroup(title: HelpGroup.allowed) var allowed: AllowanceArguments

  @OptionGroup(title: HelpGroup.allowed) var requirement: RequirementArguments

  @OptionGroup(title: HelpGroup.model) var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.description) var model: RepairModelArguments

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @OptionGroup(title: HelpGroup.output) var output: PlanOutput

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try requireAttributeToKeep()
    let place = try RepairPlace(destination, log, allowed)
    var recipe = try reportedMistakes { try self.recipe.recipe(duplicates, filling, linking) }
    try reported {
      let item = try restoring.item { try RepairSubject(store, model, candidates, log).store }
      if let item { recipe.restore.append(item) }
    }
    guard !recipe.isEmpty || !candidates.models.isEmpty else {
      throw ValidationError(
        "say what to mend: --safe, --recipe FILE, --model MODEL, --restore REPORT, --restore-from STORE, or options such as "
          + "--dedupe and --trim-history; see --help"
      )
    }
    try requirement.check(candidates)
    if output.format == .html, !place.isDryRun {
      throw ValidationError("--format html is for a plan: leave --output and --in-place away")
    }
    try RepairRun(
      store: store, model: model, candidates: candidates, requirement: requirement, place: place,
      output: output,
      sources: [restoring.restoreFrom, restoring.restore].compactMap(\.self)
    ).carryOut(recipe)
  }

  /// Refuses `--keep newest` without an attribute, and says which the store has.
  private func requireAttributeToKeep() throws {
    guard let word = duplicates.keep, ["newest", "oldest"].contains(word),
      let entity = duplicates.dedupe.first.flatMap({ $0.split(separator: ".").first }).map(String.init),
      let opened = try? RepairSubject(store, model, candidates, log).store,
      let dates = opened.layout.dateAttributes(of: entity)
    else { return }
    let known =
      dates.isEmpty
      ? "\(quoted(entity)) has no attribute that is a date; a number will do as well"
      : "dates of \(quoted(entity)) are \(dates.map(escapedForTerminal).joined(separator: ", "))"
    throw ValidationError(
      "--keep \(word): the attribute it goes by is missing; write \(word):\(escapedForTerminal(dates.first ?? "updatedAt")); \(known)"
    )
  }
}

/// A mistake in a recipe file gives exit status 2, one in an option 64, for wrong usage.
private func reportedMistakes(_ body: () throws -> Recipe) throws -> Recipe {
  do {
    return try body()
  } catch let error as RecipeMistakes {
    standardError("storedoctor: \(error)")
    throw ExitCode(2)
  }
}
