import StoreDiagnosis
import StoreRepair
import ArgumentParser
import StoreSQLite
import StoreReports

/// `storedoctor apply PLAN --store STORE`.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Carry out a plan that 'storedoctor repair --plan-out' saved.",
    discussion: """
      The plan is made anew from the recipe, the seed and the time that it holds, and has to come out the same in every \
      member: a plan that was edited, or whose store has changed since, is refused, and the message names the member. \
      Only the folder of the store may be another. What is written is diagnosed again before it counts. A plan for a \
      model needs the same --model again, so that its verdict can be compared.

      EXIT STATUS
        0   repaired and verified
        2   could not do the work, or refused it
        64  wrong usage

      EXAMPLES
        storedoctor repair Notes.sqlite --recipe clean-up.yaml --plan-out plan.json
        storedoctor apply plan.json --store Notes.sqlite --output Repaired.sqlite
        storedoctor apply plan.json --store Notes.sqlite --in-place
        storedoctor apply plan.json --store Notes.sqlite --model Notes.momd \\
          --output Repaired.sqlite
      """)

  @Argument(help: "The plan, as 'storedoctor repair --plan-out' wrote it.", completion: .file())
  var plan: String

  @Option(help: "The store the plan was made for.", completion: .file())
  var store: String

  @OptionGroup(title: HelpGroup.place) var destination: DestinationArguments

  @OptionGroup(title: HelpGroup.allowed) var allowed: AllowanceArguments

  @OptionGroup(title: HelpGroup.allowed) var requirement: RequirementArguments

  @OptionGroup(title: HelpGroup.model) var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.description) var model: RepairModelArguments

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @Flag(help: "Show no progress.")
  var quiet = false

  @Flag(help: "Say on standard error how long each step took, and which objects an output has otherwise than STORE.")
  var verbose = false

  @OptionGroup var output: RepairOutput

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try requirement.check(candidates)
    let place = try RepairPlace(destination, log, allowed)
    let protected = [PosixPath(argument: plan)] + model.protected(candidates)
    guard let destination = place.destination(protecting: protected) else {
      throw ValidationError("say where to write: --output PATH or --in-place")
    }
    let progress = ProgressLine("applying \(plan)", isQuiet: quiet)
    let times = StepTimes(isWanted: verbose)
    let comparison = verbose ? ResultComparison() : nil
    try reported {
      defer { progress?.clear() }
      let saved = try SavedPlan(contentsOf: PosixPath(argument: plan))
      let subject = try RepairSubject(store, model, candidates, log, progress)
      let options = RepairOptions(diagnosis: DiagnosisOptions(candidates: subject.candidates)) { step in
        times?.begin(step)
        progress?.reportStep(step)
      } onShare: {
        progress?.reportShare($0)
      }
      let again = try planAgain(saved, for: subject.store, toolVersion: toolVersion, options: options)
      let outcome = try apply(
        again, to: subject.store, destination: destination,
        allowance: place.allowance(requiring: requirement), options: options)
      progress?.clear()
      times?.begin(nil)
      try output.write(outcome)
      comparison?.tell(subject.store, outcome: outcome, times: times)
    }
  }
}
