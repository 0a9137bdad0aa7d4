import StoreRepair
import ArgumentParser
import StoreSQLite
import StoreReports

/// `storedoctor apply PLAN --store STORE`.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Carry out a plan that 'storedoctor repair --plan-out' saved.",
    discussion: """
      The plan is made anew from the recipe, the seed and the time that it holds, and has to come out the same in every \
      member: a plan that was edited, or whose store has changed since, is refused, and the message names the member. \
      Only the folder of the store may be another. What is written is diagnosed again before it counts.

      EXIT STATUS
        0   repaired and verified
        2   could not do the work, or refused it
        64  wrong usage

      EXAMPLES
        storedoctor repair Notes.sqlite --recipe clean-up.yaml --plan-out plan.json
        storedoctor apply plan.json --store Notes.sqlite --output Repaired.sqlite
        storedoctor apply plan.json --store Notes.sqlite --in-place
      """)

  @Argument(help: "The plan, as 'storedoctor repair --plan-out' wrote it.")
  var plan: String

  @Option(help: "The store the plan was made for.")
  var store: String

  @OptionGroup(title: "Where to write") var destination: DestinationArguments

  @OptionGroup var storeModel: StoreModelArguments

  @Flag(help: "Show no progress.")
  var quiet = false

  @Flag(help: "Say on standard error how long each step took.")
  var verbose = false

  @OptionGroup var output: RepairOutput

  func run() throws {
    let protected = [plan, storeModel.path].compactMap { $0.map { PosixPath(argument: $0) } }
    guard let destination = destination.destination(protecting: protected) else {
      throw ValidationError("say where to write: --output PATH or --in-place")
    }
    let progress = ProgressLine("applying \(plan)", isQuiet: quiet)
    let times = StepTimes(isWanted: verbose)
    try reported {
      defer { progress?.clear() }
      let saved = try SavedPlan(contentsOf: PosixPath(argument: plan))
      let opened = try openToRepair(
        PosixPath(argument: store), withoutWAL: self.destination.withoutWAL,
        storeModel: try storeModel.source())
      let options = RepairOptions { step in
        times?.begin(step)
        progress?.reportStep(step)
      }
      let again = try planAgain(saved, for: opened, toolVersion: toolVersion, options: options)
      let outcome = try apply(
        again, to: opened, destination: destination, allowance: self.destination.allowance, options: options)
      progress?.clear()
      times?.begin(nil)
      try output.write(outcome)
    }
  }
}
