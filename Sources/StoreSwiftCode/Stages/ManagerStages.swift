import StoreDiagnosis
import StoreDataModel
import StoreText

/// The stages for Core Data's `NSStagedMigrationManager`, as the source of a function that makes one.
///
/// Entities and properties are named by strings: in `willMigrate` those of the old version, in `didMigrate` those of
/// the new one.
package struct ManagerStages {
  private let advice: StageAdvice
  private let names: StageNames
  private var lines: [String] = []
  private let plan: [PlannedStage]

  /// The source text.
  ///
  /// - Parameter plan: all stages of the app; empty where they are not known.
  package static func text(_ advice: StageAdvice, plan: [PlannedStage] = []) -> String {
    var writing = ManagerStages(advice, plan: plan)
    writing.write()
    return writing.lines.joined(separator: "\n") + "\n"
  }

  private init(_ advice: StageAdvice, plan: [PlannedStage]) {
    (self.advice, self.plan) = (advice, plan)
    names = StageNames(advice: advice)
  }

  private var afterModel: Model { advice.bridge ?? advice.destination }

  private mutating func write() {
    lines += advice.headLines.map { "// " + StageNames.comment($0) }
    if advice.bridge != nil { writeBridge() }
    lines += [
      "", "import CoreData", "",
      "func \(names.variable(advice.to))MigrationManager() -> NSStagedMigrationManager {".replacing("`", with: ""),
    ]
    let (old, new) = (reference(advice.from, in: advice.source), reference(advice.to, in: advice.destination))
    let after = advice.bridge.map { reference(advice.bridgeName, in: $0) } ?? new
    writeReference("old", reference: old)
    writeReference("new", reference: after)
    lines.append("  let prepare = NSCustomMigrationStage(migratingFrom: old, to: new)")
    lines.append(
      "  prepare.label = \(SwiftDataTypes.literal("\(advice.from) to \(advice.bridge == nil ? advice.to : advice.bridgeName)"))"
    )
    writeHandler(
      "willMigrateHandler", tasks: advice.before, model: advice.source,
      comment: "The store is at the old version: its names only.")
    writeHandler(
      "didMigrateHandler", tasks: advice.after, model: afterModel,
      comment: "The store is at the new version: its names only.")
    if advice.bridge != nil {
      lines.append("  let finish = NSLightweightMigrationStage([\(SwiftDataTypes.literal(new.checksum))])")
      lines.append("  finish.label = \(SwiftDataTypes.literal("\(advice.bridgeName) to \(advice.to)"))")
    }
    writeList(["prepare"] + (advice.bridge == nil ? [] : ["finish"]))
    lines.append("}")
    for task in advice.after {
      if case .convert(let entity, let from, let to, _) = task {
        lines += names.conversionLines(entity, from: from, to: to, model: afterModel, isStatic: false)
      }
    }
  }

  /// The stages of the app's plan in its order, with these in their place.
  private mutating func writeList(_ own: [String]) {
    let isPlanned = plan.contains { stage in
      if case .custom(advice.from, advice.to) = stage { true } else { false }
    }
    if !plan.isEmpty, !isPlanned {
      lines.append(
        "  // Needed: the app's other stages; its plan has none from '\(StageNames.comment(advice.from))' to "
          + "'\(StageNames.comment(advice.to))'.")
    }
    let listed = isPlanned ? plan.listing { $0 == advice.from && $1 == advice.to ? own : nil } : ([], own)
    lines += listed.0 + ["  return NSStagedMigrationManager([\(listed.1.joined(separator: ", "))])"]
  }

  /// Describes what has to be done by hand in Xcode.
  private mutating func writeBridge() {
    var words = ["Needed: a model version '\(advice.bridgeName)': a copy of '\(advice.to)' in which"]
    for task in advice.after {
      switch task {
      case .fill(let entity, let property): words.append("- \(entity).\(property) is optional,")
      case .convert(let entity, let from, let to, _):
        words.append("- \(entity) has \(from) as in '\(advice.from)' and \(to) as in '\(advice.to)', both optional,")
      case .link(let entity, let attribute, let relationship):
        words.append("- \(entity) has the attribute \(attribute) and the relationship \(relationship), both optional,")
      case .distinguish(let entity, let property): words.append("- \(entity).\(property) is not unique yet,")
      case .dedupe: break
      }
    }
    for identifier in advice.identifiers {
      let place = "\(identifier.entity).\(identifier.property)"
      words.append(
        identifier.identifier.map { "and in '\(advice.to)' the renaming ID '\($0)' for \(place)." }
          ?? "and in '\(advice.to)' no renaming ID for \(place).")
    }
    lines += words.map { "// " + StageNames.comment($0) }
  }

  private func reference(_ name: String, in model: Model) -> (name: String, checksum: String) {
    (name, base64(model.versionHashes.checksum))
  }

  private mutating func writeReference(_ variable: String, reference: (name: String, checksum: String)) {
    lines.append("  let \(variable) = NSManagedObjectModelReference(")
    lines.append(
      "    name: \(SwiftDataTypes.literal(reference.name)), in: .main, "
        + "versionChecksum: \(SwiftDataTypes.literal(reference.checksum)))")
  }

  private mutating func writeHandler(_ name: String, tasks: [StageTask], model: Model, comment: String) {
    guard !tasks.isEmpty else { return }
    lines.append("  prepare.\(name) = { manager, _ in")
    lines.append("    guard let context = manager.container?.newBackgroundContext() else { return }")
    lines += ["    try context.performAndWait {", "      // \(comment)"]
    for task in tasks { write(task, model: model) }
    lines += ["      try context.save()", "    }", "  }"]
  }

  // MARK: Tasks

  private mutating func write(_ task: StageTask, model: Model) {
    lines.append("      // \(StageNames.comment(task.words))")
    let entity = task.entity
    switch task {
    case .fill(_, let property): writeFill(property, entity: entity, model: model)
    case .distinguish(_, let property):
      guard let type = names.type(property, of: entity, in: model),
        let value = model.property(property, of: entity)?.attribute?.type.ownValue(type, position: "number")
      else { return lines.append("      // decide: a value of its own for every row") }
      let request = self.request(entity)
      lines.append("      for (number, object) in try context.fetch(\(request)).enumerated() {")
      lines += ["        object.setValue(\(value), forKey: \(key(property)))", "      }"]
    case .dedupe(_, let properties): writeDedupe(by: properties, of: entity, model: model)
    case .convert(_, let from, let to, let isRequired):
      writeConvert(from, to: to, isRequired: isRequired, entity: entity, model: model)
    case .link(_, let attribute, let relationship):
      writeLink(attribute, relationship: relationship, entity: entity, model: model)
    }
  }

  private func key(_ name: String) -> String { SwiftDataTypes.literal(name) }

  private mutating func request(_ entity: String, nilIn property: String? = nil, prefetching: [String] = []) -> String {
    let name = "request\(lines.count)"
    lines.append("      let \(name) = NSFetchRequest<NSManagedObject>(entityName: \(key(entity)))")
    if let property { lines.append("      \(name).predicate = NSPredicate(format: \"%K == nil\", \(key(property)))") }
    if !prefetching.isEmpty {
      lines.append(
        "      \(name).relationshipKeyPathsForPrefetching = [\(prefetching.map(key).joined(separator: ", "))]")
    }
    return name
  }

  private mutating func writeFill(_ property: String, entity: String, model: Model) {
    guard let described = model.property(property, of: entity) else { return }
    switch described.kind {
    case .attribute(let attribute):
      guard let value = names.type(property, of: entity, in: model).flatMap(attribute.type.startingValue) else {
        return lines.append("      // decide: a value of type \(attribute.type.name)")
      }
      let request = self.request(entity, nilIn: property)
      lines.append("      for object in try context.fetch(\(request)) {")
      lines.append("        object.setValue(\(value), forKey: \(key(property)))  // decide")
    case .relationship(let relationship):
      let destinations = request(relationship.destination)
      let request = self.request(entity, nilIn: property, prefetching: [property])
      lines.append("      let destination = try context.fetch(\(destinations)).first  // decide")
      lines.append("      for object in try context.fetch(\(request)) {")
      lines.append("        object.setValue(destination, forKey: \(key(property)))")
    case .fetched: return
    }
    lines.append("      }")
  }

  private mutating func writeDedupe(by properties: [String], of entity: String, model: Model) {
    let links = model.toManyNames(of: entity)
    let request = self.request(entity, prefetching: links)
    let kept = "kept\(lines.count)"
    let parts = properties.map { "object.value(forKey: \(key($0))) as? AnyHashable" }
    lines.append("      var \(kept): [[AnyHashable?]: NSManagedObject] = [:]")
    lines.append("      for object in try context.fetch(\(request)) {")
    lines.append("        let key: [AnyHashable?] = [\(parts.joined(separator: ", "))]")
    lines.append("        guard !key.contains(nil) else { continue }  // NULL equals nothing")
    lines.append("        guard let first = \(kept)[key] else {")
    lines += ["          \(kept)[key] = object", "          continue", "        }"]
    for link in links {
      let isOrdered = model.property(link, of: entity)?.relationship?.isOrdered == true
      let (method, all) = isOrdered ? ("mutableOrderedSetValue", "array") : ("mutableSetValue", "allObjects")
      lines.append(
        "        first.\(method)(forKey: \(key(link))).addObjects(from: object.\(method)(forKey: \(key(link))).\(all))")
    }
    lines += ["        context.delete(object)  // decide which of them is kept", "      }"]
  }

  private mutating func writeConvert(
    _ from: String, to: String, isRequired: Bool, entity: String, model: Model
  ) {
    guard let old = names.type(from, of: entity, in: model), let new = names.type(to, of: entity, in: model),
      let attribute = model.property(to, of: entity)?.attribute
    else { return lines.append("      // decide: how its values are read and written") }
    let value = isRequired ? attribute.type.startingValue(new).map { " ?? \($0)" } ?? "" : ""
    let request = self.request(entity)
    lines.append("      for object in try context.fetch(\(request)) {")
    lines.append(
      "        let value = (object.value(forKey: \(key(from))) as? \(old)).flatMap(\(names.conversion(of: to, entity)))\(value)"
    )
    lines += ["        object.setValue(value, forKey: \(key(to)))", "      }"]
  }

  private mutating func writeLink(_ attribute: String, relationship: String, entity: String, model: Model) {
    guard let destination = model.property(relationship, of: entity)?.relationship?.destination else { return }
    let destinations = request(destination)
    let request = self.request(entity, prefetching: [relationship])
    lines.append("      let destinations = try context.fetch(\(destinations))")
    lines.append(
      "      for object in try context.fetch(\(request)) where object.value(forKey: \(key(attribute))) != nil {")
    lines.append(
      "        object.setValue(destinations.first, forKey: \(key(relationship)))  // decide which one the value stands for"
    )
    lines.append("      }")
  }
}
