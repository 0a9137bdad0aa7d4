import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let foreignObject = Check(
    .foreignObject, "foreign-object", .error,
    summary: "The schema holds a view, a virtual table or a trigger that Core Data does not make.",
    explanation: """
      ## What it looks for
      Views; virtual tables other than the R-trees that the model asks for; triggers whose names are not those of
      derived attributes (`Z_DA_`), R-trees (`Z_RT_`) and Photos' counters (`ZT_`), or that call functions those do not
      call. storedoctor reads none of them.

      ## Why it matters
      A view in place of a table shows rows that are not in the store; a trigger changes rows behind Core Data's back, and
      behind that of every tool that writes. None of 411 real stores has one.

      ## Example
      The trigger `log_notes` runs on each change of `ZNOTE` and writes to a table of its own.

      ## What can be done
      Find out who made it. `storedoctor repair` refuses to write to a store with a foreign trigger.
      """
  ) { check, scan in
    { objects(check, in: scan) + triggers(check, in: scan) }
  }
}

private func objects(_ check: Check, in scan: Scan) -> [Finding] {
  let unexplained = Set(
    scan.store.layout.unexplained.compactMap { unexplained in
      if case .table(let name) = unexplained.object { name } else { nil }
    })
  // Without a model it is not known which R-trees belong to the store.
  let known = scan.store.model == nil ? scan.store.shape.unreadable.filter { !$0.key.hasPrefix("Z_RT_") } : nil
  let foreign = known ?? scan.store.shape.unreadable.filter { unexplained.contains($0.key) }
  return foreign.sorted { codeUnitsPrecede($0.key, $1.key) }.map { name, kind in
    check.finding(table: name, message: "\(quoted(name)) is \(kind), which Core Data does not make; it is not read")
  }
}

private func triggers(_ check: Check, in scan: Scan) -> [Finding] {
  let foreign = scan.store.shape.triggers.filter { !$0.isCoreDatas }
  return Dictionary(grouping: foreign, by: \.table).map { table, triggers in
    let names = triggers.prefix(5).map { quoted($0.name) }.joined(separator: ", ")
    let count = counted(triggers.count, "trigger")
    return check.finding(
      scan.map.entity(ofTable: table)?.name, table: table, count: Int64(triggers.count),
      examples: triggers.prefix(scan.exampleLimit).map { .init(nil, ["trigger": .text($0.name)]) },
      message: "\(count) of \(table) \(triggers.count == 1 ? "is" : "are") not Core Data's: \(names)")
  }
}
