// The examples of `docs/in-a-program.md`, word for word; a test compares. They import the library alone, as a user does.

import StoreDoctor

func list(_ store: String) throws {
  for entity in try inspect(path: store).entities where !entity.isInternal {
    let rows = entity.rows.map(String.init) ?? "unreadable"
    print("\(entity.name) in \(entity.table): \(rows)")
  }
}

func judge(_ store: String, with models: [String]) throws {
  let diagnosis = try diagnose(path: store, models: models)
  print(diagnosis.verdict.rawValue)
  for finding in diagnosis.findings where finding.severity == .error {
    print(finding.id, finding.entity ?? "", finding.property ?? "", finding.message)
  }
  print(diagnosis.jsonText)
}

func findVersion(of store: String, among models: [String]) throws {
  let match = try match(path: store, models: models)
  print(match.isFound, match.text(width: 80))
}

func mend(_ store: String, to output: String) throws {
  let recipe = """
    version: 1
    dangling: nullify
    structure: [high-water, join-orphans]
    """
  print(try planRepair(path: store, recipe: recipe).text(width: 80))
  let outcome = try repair(path: store, recipe: recipe, to: output)
  print(outcome.text(width: 80))
}

func update(_ store: String, to models: [String], at output: String) throws {
  do {
    let migration = try migrate(path: store, models: models, to: output)
    print(migration.kept ?? 0, "objects kept,", migration.lostValues ?? 0, "values lost")
  } catch let error as MigrationNotPossible {
    print(error.diagnosis.text(width: 80))
  }
}

func titles(in store: String) throws {
  var query = RowQuery(entity: "Note")
  query.condition = "isPinned == YES"
  query.order = [RowQuery.Order(path: "createdAt")]
  query.limit = 2
  try forEachObject(path: store, query) { note in
    if case .text(let title)? = note["title"], case .date(let seconds)? = note["createdAt"] {
      print("\(note.key) \(title) \(seconds)")
    }
  }
}

func differences(from old: String, to new: String) throws {
  let difference = try compare(path: old, with: new) { object in
    let values = object.values.map { "\($0.property) \($0.before ?? "-") > \($0.after ?? "-")" }
    print(object.kind, object.entity, object.keyBefore ?? 0, values)
  }
  print(difference.isEqual == true, difference.entities.count)
}

func open(_ path: String) throws {
  do {
    print(try inspect(path: path).entities.count)
  } catch let error as StoreError {
    switch error.problem {
    case .missing: print("there is no file")
    default: print(error)
    }
  }
}
