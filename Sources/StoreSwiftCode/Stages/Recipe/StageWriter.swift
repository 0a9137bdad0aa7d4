import StoreDataModel
import StoreMigration
import StoreRepair
import StoreReports
import StoreText

/// Writes the file with the stages.
///
/// `willMigrate` and `didMigrate` see one version each; the steps follow each other as `migrate --perform` does them.
struct StageWriter {
  let app: StageApp
  var support: StageSupport
  var omissions: [StageOmission] = []
  var lines: [String] = []
  var number = 0
  /// The side that is being written: "willMigrate", with its version.
  var side = ""
  var version = ""
  var model: Model
  /// The facts kept from before, for `didMigrate`.
  var past: StagePast
  /// For Core Data, all stages of the app; empty where they are not known.
  var plan: [PlannedStage] = []
  /// The names of stages that are taken.
  private var names: Set<String> = []

  init(_ app: StageApp, _ first: RecipeStage) {
    self.app = app
    let isSwiftData = if case .swiftData = app { true } else { false }
    support = StageSupport(isSwiftData: isSwiftData)
    model = first.source
    past = StagePast(first, className: "")
  }

  var isSwiftData: Bool { support.isSwiftData }

  // MARK: The file

  mutating func file(_ stages: [RecipeStage]) -> String {
    var bodies: [[String]] = []
    var made: [String] = []
    for stage in stages {
      let name = self.name(of: stage)
      made.append(name)
      past = StagePast(stage, className: SwiftName.capitalized(name) + "Past")
      bodies.append(isSwiftData ? swiftDataStage(stage, named: name) : coreDataStage(stage, named: name))
    }
    var text = head(stages) + ["", "import \(isSwiftData ? "Foundation" : "CoreData")"]
    if isSwiftData { text.append("import SwiftData") }
    switch app {
    case .swiftData(let plan?, _):
      text += ["", "extension \(plan) {"]
      for (position, body) in bodies.enumerated() { text += (position > 0 ? [""] : []) + body }
      text.append("}")
    case .swiftData(nil, _):
      let versions = stages.map { SwiftName.type(from: $0.from) } + stages.suffix(1).map { SwiftName.type(from: $0.to) }
      text += ["", "enum \(versions.last ?? "")MigrationPlan: SchemaMigrationPlan {".replacing("`", with: "")]
      text += [
        "  static var schemas: [any VersionedSchema.Type] { [\(versions.map { $0 + ".self" }.joined(separator: ", "))] }",
        "  static var stages: [MigrationStage] { [\(made.joined(separator: ", "))] }",
      ]
      for body in bodies { text += [""] + body }
      text.append("}")
    case .coreData:
      text += [""] + manager(of: stages, named: made)
      for body in bodies { text += [""] + body }
    }
    return (text + pastLines + support.lines).joined(separator: "\n") + "\n"
  }

  private var pastLines: [String] = []

  /// The function that makes the manager.
  private func manager(of stages: [RecipeStage], named made: [String]) -> [String] {
    let head = "func \(StageCode.managerName(stages.last?.to ?? ""))() -> NSStagedMigrationManager {"
    guard plan.count > stages.count else {
      return [
        "/// The stages with code; lightweight ones of the app's plan belong between them.", head,
        "  NSStagedMigrationManager([\(made.map { $0 + "()" }.joined(separator: ", "))])", "}",
      ]
    }
    let (lines, parts) = plan.listing { from, to in
      let place = stages.firstIndex { $0.from == from && $0.to == to }
      return place.flatMap { made.indices.contains($0) ? [made[$0] + "()"] : nil }
    }
    return ["/// The stages of the app's plan, in its order.", head] + lines + [
      "  return NSStagedMigrationManager([\(parts.joined(separator: ", "))])", "}",
    ]
  }

  private func head(_ stages: [RecipeStage]) -> [String] {
    var words = stages.map {
      "The stage from '\($0.from)' to '\($0.to)', made by storedoctor \(toolVersion) from \($0.path)."
    }
    words += [
      "",
      "Code of this kind was type-checked against stand-ins, but never run where this was made: Apple's frameworks are",
      "not there. Run it on copies of customers' stores on a device, and hold the results against those of the recipe:",
      "'storedoctor compare' shows every value that differs.",
    ]
    if case .swiftData(let plan?, _) = app {
      words += ["", "Put it into \(plan).stages, in the place of the stage that is there."]
    }
    if !pastLines.isEmpty {
      words += [
        "",
        "What didMigrate needs of before is kept in memory. An app that is ended between the two has lost it: keep the old",
        "attribute for one more version if that must not happen.",
      ]
    }
    if !omissions.isEmpty {
      words += ["", "Not everything in the recipe is in it; each #warning says what is missing, and what to do."]
    }
    return words.map { $0.isEmpty ? "//" : "// " + StageNames.comment($0) }
  }

  private mutating func name(of stage: RecipeStage) -> String {
    let name = StageNames.plain(stage.from) + "To" + SwiftName.type(from: stage.to).replacing("`", with: "")
    let free = ([name] + (2...100).map { "\(name)_\($0)" }).first { !names.contains($0) } ?? name
    names.insert(free)
    return free
  }

  // MARK: A stage

  private mutating func swiftDataStage(_ stage: RecipeStage, named name: String) -> [String] {
    let after = handler("didMigrate", stage: stage, indent: 6)
    let before = handler("willMigrate", stage: stage, indent: 6)
    var lines = ["  static let \(SwiftName.escaped(name)) = MigrationStage.custom("]
    lines.append("    fromVersion: \(versionName(stage.from)).self, toVersion: \(versionName(stage.to)).self,")
    for (side, body) in [("willMigrate", before), ("didMigrate", after)] {
      let end = side == "willMigrate" ? "," : ")"
      guard !body.isEmpty else {
        lines.append("    \(side): nil\(end)")
        continue
      }
      lines += ["    \(side): { context in"] + body + ["    }\(end)"]
    }
    pastLines += past.classLines
    return lines
  }

  private mutating func coreDataStage(_ stage: RecipeStage, named name: String) -> [String] {
    let after = handler("didMigrate", stage: stage, indent: 6)
    let before = handler("willMigrate", stage: stage, indent: 6)
    var lines = ["func \(SwiftName.escaped(name))() -> NSCustomMigrationStage {"]
    for (variable, version, model) in [("old", stage.from, stage.source), ("new", stage.to, stage.destination)] {
      lines.append("  let \(variable) = NSManagedObjectModelReference(")
      lines.append(
        "    name: \(SwiftDataTypes.literal(version)), in: .main, versionChecksum: "
          + "\(SwiftDataTypes.literal(base64(model.versionHashes.checksum))))")
    }
    lines.append("  let stage = NSCustomMigrationStage(migratingFrom: old, to: new)")
    lines.append("  stage.label = \(SwiftDataTypes.literal("\(stage.from) to \(stage.to)"))")
    for (side, body) in [("willMigrateHandler", before), ("didMigrateHandler", after)] where !body.isEmpty {
      lines.append("  stage.\(side) = { manager, _ in")
      lines.append("    let context = try \(support.call("context"))(manager)")
      lines += ["    try context.performAndWait {"] + body + ["    }", "  }"]
    }
    lines += ["  return stage", "}"]
    pastLines += past.classLines
    return lines
  }

  /// "TripsV2", or "Models.TripsV2" in backticks where needed.
  private func versionName(_ version: String) -> String {
    let parts = version.split(separator: ".").map { String($0).replacing("`", with: "") }
    return parts.allSatisfy(SwiftName.isIdentifier)
      ? parts.map(SwiftName.escaped).joined(separator: ".") : SwiftName.type(from: version)
  }

  /// The lines of one side; empty where it does nothing.
  private mutating func handler(_ name: String, stage: RecipeStage, indent: Int) -> [String] {
    let isBefore = name == "willMigrate"
    (side, version, model) = isBefore ? (name, stage.from, stage.source) : (name, stage.to, stage.destination)
    lines = []
    let recipe = isBefore ? stage.recipe.willMigrate : stage.recipe.didMigrate
    for part in StagePart.unreachable(in: recipe) { omit(part.part, omission: part.omission) }
    for item in recipe.items { write(item) }
    if !lines.isEmpty { lines.append("try context.save()") }
    if isBefore { keepPast() } else if !past.isEmpty { lines.append("\(past.className).shared.forget()") }
    if lines.contains(where: { $0.contains("now)") || $0.contains("now,") }) {
      lines.insert("let now = Date().timeIntervalSinceReferenceDate", at: 0)
    }
    return lines.map { String(repeating: " ", count: indent) + $0 }
  }

  private mutating func write(_ item: Recipe.Item) {
    switch item {
    case .junction(let item):
      step("junctions of \(item.from)", line: item.line) { (writer: inout StageWriter) throws(StageOmission) in
        try writer.junction(item)
      }
    case .backfill(let item):
      step("backfill of \(item.entity).\(item.attribute)", line: item.line) {
        (writer: inout StageWriter) throws(StageOmission) in try writer.backfill(item)
      }
    case .relink(let item):
      step("relink of \(item.entity).\(item.relationship)", line: item.line) {
        (writer: inout StageWriter) throws(StageOmission) in try writer.relink(item)
      }
    case .dedupe(let item):
      step("dedupe of \(item.entity) by \(item.by.joined(separator: ", "))", line: item.line) {
        (writer: inout StageWriter) throws(StageOmission) in try writer.dedupe(item)
      }
    }
  }

  /// Writes a step; where it has no Swift, a warning in its place.
  private mutating func step(
    _ part: String, line: Int?, write: (inout StageWriter) throws(StageOmission) -> Void
  ) {
    let words = part + (line.map { " (line \($0))" } ?? "")
    let (before, supportBefore, pastBefore) = (lines, support, past)
    lines.append("// " + StageNames.comment(words))
    do throws(StageOmission) {
      try write(&self)
    } catch {
      (lines, support, past) = (before, supportBefore, pastBefore)
      omit(words, omission: error)
    }
  }

  private mutating func omit(_ part: String, omission: StageOmission) {
    var omission = omission
    omission.part = "\(side): \(part)"
    omissions.append(omission)
    lines.append("#warning(\(SwiftDataTypes.literal("not written: \(omission)")))")
  }

  /// Keeps what `didMigrate` asks for, with the names of the old version.
  private mutating func keepPast() {
    for kept in past.entities {
      let target = "\(past.className).shared.\(kept.variable)"
      lines.append("// what didMigrate needs of \(StageNames.comment(kept.entity)) as it was")
      lines.append("\(target) = [:]")
      lines.append("for object in \(objects(of: kept.entity)) {")
      let values = kept.fields.map { "\($0.name): \($0.reading)" }.joined(separator: ", ")
      lines.append("  \(target)[\(key(of: "object"))] = .init(\(values))")
      lines.append("}")
    }
  }

  // MARK: Names

  mutating func fresh(_ name: String) -> String {
    number += 1
    return "\(name)\(number)"
  }

  /// "try StageValue.inOrder(TripsV2.Trip.self, context)"
  mutating func objects(of entity: String) -> String {
    "try \(support.call("inOrder"))(\(isSwiftData ? "\(className(entity)).self" : SwiftDataTypes.literal(entity)), context)"
  }

  mutating func key(of object: String) -> String {
    isSwiftData
      ? "try \(support.call("key"))(of: \(object))" : "\(support.call("key"))(of: \(object).objectID)"
  }

  func className(_ entity: String) -> String {
    guard case .swiftData(_, let versions) = app, let name = versions[version]?.classes[entity] else {
      return "\(versionName(version)).\(SwiftName.escaped(entity))"
    }
    return name.split(separator: ".").map { SwiftName.escaped(String($0).replacing("`", with: "")) }.joined(
      separator: ".")
  }

  func isEnum(_ property: String, of entity: String, in version: String) -> Bool {
    guard case .swiftData(_, let versions) = app else { return false }
    let names = [entity] + model.ancestors(of: entity).map(\.name)
    return names.contains { versions[version]?.enums[$0]?.contains(property) == true }
  }
}

extension StageNames {
  /// The beginning of a function's name: `notes2` of "Notes 2".
  static func plain(_ version: String) -> String {
    let type = SwiftName.type(from: version).replacing("`", with: "")
    return type.prefix(1).lowercased() + type.dropFirst()
  }
}
