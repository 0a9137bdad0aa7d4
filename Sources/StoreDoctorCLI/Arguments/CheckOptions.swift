import StoreFindings
import StoreDiagnosis
import ArgumentParser

/// Which checks to run; shared by the commands that diagnose stores and the one that lints source.
struct CheckOptions<Checked: NamedCheck>: ParsableArguments {
  @Option(
    name: .customLong("check"),
    help: ArgumentHelp("Run this check only, by id or name. Repeatable.", valueName: "id|name"),
    completion: .list(Checked.all.flatMap { [$0.id, $0.name] }))
  var only: [String] = []

  @Option(
    name: .customLong("skip"),
    help: ArgumentHelp("Leave this check out, by id or name. Repeatable.", valueName: "id|name"),
    completion: .list(Checked.all.flatMap { [$0.id, $0.name] }))
  var skipped: [String] = []

  /// The checks to run.
  var selected: [Checked] {
    get throws {
      let wanted = Set(try only.map(named).map(\.id))
      let unwanted = Set(try skipped.map(named).map(\.id))
      return Checked.all.filter { (wanted.isEmpty || wanted.contains($0.id)) && !unwanted.contains($0.id) }
    }
  }

  /// The configuration without muting of the checks that were asked for by name.
  func unmuting(_ configuration: Configuration?) throws -> Configuration? {
    let wanted = Set(try only.map(named).map(\.id))
    var configuration = configuration
    configuration?.mutes.removeAll { wanted.contains($0.check) }
    return configuration
  }

  private func named(_ name: String) throws -> Checked {
    guard let check = Checked.named(name) else {
      let example = Checked.all.first.map { "; they are called like \($0.id) or \($0.name)" } ?? ""
      throw ValidationError("there is no check '\(name)' here\(example)")
    }
    return check
  }
}
