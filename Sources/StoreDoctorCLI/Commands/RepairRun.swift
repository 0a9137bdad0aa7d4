import StoreJSON
import StoreWords
import StoreDiagnosis
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports

/// A recipe that is planned and, where it is said where to, carried out; for the commands that change a store.
struct RepairRun {
  /// The store, as it was given.
  var store: String
  var model: RepairModelArguments
  var candidates: CandidateArguments
  var requirement: RequirementArguments
  var place: RepairPlace
  var output: PlanOutput
  /// Other stores that are read, which no output may replace.
  var sources: [String] = []
  /// What a progress line calls it.
  var word = "repairing"

  /// Plans the recipe, and does what the options say with it.
  func carryOut(_ recipe: Recipe) throws {
    let progress = ProgressLine("\(word) \(store)", isQuiet: output.quiet)
    let times = StepTimes(isWanted: output.verbose)
    let comparison = output.verbose ? ResultComparison() : nil
    try reported {
      defer { progress?.clear() }
      let subject = try tellingSavable(store, withoutWAL: place.log.isLeftOut, log: place.log.path) {
        try RepairSubject(store, model, candidates, place.log, progress)
      }
      let opened = subject.store
      let options = RepairOptions(diagnosis: DiagnosisOptions(candidates: subject.candidates)) { step in
        times?.begin(step)
        progress?.reportStep(step)
      } onShare: {
        progress?.reportShare($0)
      }
      let allowance = place.allowance(requiring: requirement)
      // With nothing to save in between, planning and applying are one.
      if output.planOut == nil,
        case .output(let target)? = place.destination(protecting: protected)
      {
        let outcome = try Reading.tellingDamage(of: opened) {
          try StoreRepair.repair(recipe, of: opened, to: target, allowance: allowance, options: options)
        }
        progress?.clear()
        times?.begin(nil)
        try output.outcome.write(outcome)
        comparison?.tell(opened, outcome: outcome, times: times)
        return
      }
      let plan = try Reading.tellingDamage(of: opened) { try planRepair(recipe, of: opened, options: options) }
      try opened.checkUnchanged()
      let isWanted = plan.refusals.isEmpty && (requirement.require == nil || plan.opensWithItsModel)
      // A plan that is not to be carried out is only printed.
      if let planOut = output.planOut, isWanted { try save(plan, to: PosixPath(argument: planOut)) }
      let kept = [output.planOut].compactMap { $0.map { PosixPath(argument: $0) } } + protected
      guard let destination = place.destination(protecting: kept) else {
        progress?.clear()
        times?.begin(nil)
        try output.write(plan, of: opened, next: nextCommands(plan, isWanted: isWanted, for: opened))
        if let refusal = plan.refusals.first {
          standardError("storedoctor: refused: \(escapedForTerminal(refusal.message))")
          throw ExitCode(2)
        }
        if requirement.require != nil { try plan.requireOpening() }
        return
      }
      let outcome = try apply(plan, to: opened, destination: destination, allowance: allowance, options: options)
      progress?.clear()
      times?.begin(nil)
      try output.outcome.write(outcome)
      comparison?.tell(opened, outcome: outcome, times: times)
    }
  }

  private var protected: [PosixPath] {
    model.protected(candidates) + sources.map { StoreReference(PosixPath(argument: $0)).file }
  }

  private func save(_ plan: RepairPlan, to path: PosixPath) throws {
    try write(plan.json(toolVersion: toolVersion, showsValues: true).text, to: path, isPrivate: true)
    standardError("storedoctor: \(quoted(path.description)) holds values of rows; only you can read it")
  }

  /// The same command with an output in the working directory, since evidence's folder should get no new files; where
  /// rows are in the way of the model, with the first choice for each of them.
  ///
  /// - Parameter isWanted: whether the plan may be carried out as it is.
  private func nextCommands(_ plan: RepairPlan, isWanted: Bool, for opened: Store) -> [String] {
    guard plan.refusals.isEmpty else { return [] }
    let choices = plan.after.opening?.firstChoices ?? []
    let decided = choices.isEmpty ? [] : (asGiven + choices).command
    guard isWanted, !plan.isEmpty else { return decided }
    let given = output.planOut.map { ["apply", $0, "--store", store] + descriptionOfStore } ?? asGiven
    return decided + (given + plan.needs.map(\.rawValue) + ["--output", repairedName(opened.files.location)]).command
  }

  /// The options without which the plan would be different.
  private var descriptionOfStore: [String] {
    model.asGiven(candidates) + requirement.asGiven + place.asGiven
  }

  /// The command as given, without the options that allow something, the one that is about the terminal, and that for a page,
  /// which an output is refused with.
  private var asGiven: [String] {
    let left = Set(RepairNeed.allCases.map(\.rawValue) + [Pager.option, "--format=html"])
    var words = CommandLine.arguments.dropFirst().filter { !left.contains($0) }
    if let place = words.indices.first(where: { words[$0...].starts(with: ["--format", "html"]) }) {
      words.removeSubrange(place...(place + 1))
    }
    return words
  }
}

extension Sequence<String> {
  /// A command of storedoctor, quoted for a shell.
  fileprivate var command: [String] { ["storedoctor " + map(shellQuoted).joined(separator: " ")] }
}

/// "Notes-repaired.sqlite": the first such name that is free in the working directory.
private func repairedName(_ store: PosixPath) -> String {
  let stem = Store.stem(of: store.name)
  let names = (1...100).lazy.map { number in
    PosixPath(bytes: stem + "-repaired\(number == 1 ? "" : "-\(number)")".utf8 + store.name.dropFirst(stem.count))
  }
  return (names.first { FileSystem.kind(of: $0, followingLinks: false) == nil } ?? store).description
}
