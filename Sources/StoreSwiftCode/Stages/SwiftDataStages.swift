import StoreDiagnosis
import StoreDataModel
import StoreText

/// The stages as a SwiftData `SchemaMigrationPlan`, to paste beside the app's versioned schemas.
///
/// `willMigrate` uses only old types, and `didMigrate` only new ones. The code compiles as it is, given the classes of
/// both versions; decisions for a person are marked with "decide".
package struct SwiftDataStages {
  private let advice: StageAdvice
  private let names: StageNames
  private var lines: [String] = []

  /// The source text.
  package static func text(_ advice: StageAdvice) -> String {
    var writing = SwiftDataStages(advice)
    writing.write()
    return writing.lines.joined(separator: "\n") + "\n"
  }

  private static let shownLosses = 10

  private init(_ advice: StageAdvice) {
    self.advice = advice
    names = StageNames(advice: advice)
  }

  private var old: String { names.schema(advice.from) }
  private var new: String { names.schema(advice.to) }
  private var between: String { names.schema(advice.bridgeName) }
  private var afterSchema: String { advice.bridge == nil ? new : between }
  private var afterModel: Model { advice.bridge ?? advice.destination }

  private mutating func write() {
    writeHead()
    if let bridge = advice.bridge {
      lines += SwiftDataWriter(bridge, schemaName: advice.bridgeName).text.split(
        separator: "\n", omittingEmptySubsequences: false
      ).dropLast().map(String.init)
    } else {
      lines += ["import Foundation", "import SwiftData"]
    }
    lines += ["", "enum \(new)MigrationPlan: SchemaMigrationPlan {".replacing("`", with: "")]
    let schemas = advice.bridge == nil ? [old, new] : [old, between, new]
    lines.append("  static var schemas: [any VersionedSchema.Type] {")
    lines.append("    [\(schemas.map { "\($0).self" }.joined(separator: ", "))]")
    lines.append("  }")
    lines.append("")
    lines.append("  static var stages: [MigrationStage] { [prepare\(advice.bridge == nil ? "" : ", finish")] }")
    writeCustomStage()
    if advice.bridge != nil { writeLightweightStage() }
    for task in advice.after { writeConversion(task) }
    lines.append("}")
  }

  private mutating func writeHead() {
    lines += advice.headLines.map { "// " + StageNames.comment($0) }
    let lost = advice.bridge.map { SwiftDataWriter($0, schemaName: advice.bridgeName).lost } ?? []
    for loss in lost.prefix(Self.shownLosses) {
      lines.append("// SwiftData has no word for \(StageNames.comment(loss.description)).")
    }
    if lost.count > Self.shownLosses { lines.append("// And \(lost.count - Self.shownLosses) more of that kind.") }
    for identifier in advice.identifiers {
      let place = StageNames.comment("\(new).\(identifier.entity).\(identifier.property)")
      lines.append(
        identifier.identifier.map {
          "// Needed: give \(place) '@Attribute(originalName: \(SwiftDataTypes.literal($0)))', "
            + "which changes no checksum; without it the values stay behind."
        } ?? "// Needed: take 'originalName' off \(place), whose value the stage writes now.")
    }
    lines.append("")
  }

  // MARK: Stages

  private mutating func writeCustomStage() {
    lines += ["", "  static let prepare = MigrationStage.custom("]
    lines.append("    fromVersion: \(old).self, toVersion: \(afterSchema).self,")
    writeHandler(
      "willMigrate", tasks: advice.before, schema: old, model: advice.source,
      comment: "The store is at the old version: old types only.")
    lines[lines.count - 1] += ","
    writeHandler(
      "didMigrate", tasks: advice.after, schema: afterSchema, model: afterModel,
      comment: "The store is at the new version: new types only.")
    lines[lines.count - 1] += ")"
  }

  private mutating func writeLightweightStage() {
    lines += ["", "  static let finish = MigrationStage.lightweight("]
    lines.append("    fromVersion: \(between).self, toVersion: \(new).self)")
  }

  private mutating func writeHandler(
    _ name: String, tasks: [StageTask], schema: String, model: Model, comment: String
  ) {
    guard !tasks.isEmpty else {
      lines.append("    \(name): nil")
      return
    }
    lines += ["    \(name): { context in", "      // \(comment)"]
    for task in tasks { write(task, schema: schema, model: model) }
    lines += ["      try context.save()", "    }"]
  }

  // MARK: Tasks

  private mutating func write(_ task: StageTask, schema: String, model: Model) {
    let entity = task.entity
    guard SwiftName.isIdentifier(entity), task.properties.allSatisfy(SwiftName.isIdentifier) else {
      lines.append("      // decide: \(StageNames.comment(task.words)) (its name is no name in Swift)")
      return
    }
    let type = "\(schema).\(SwiftName.escaped(entity))"
    lines.append("      // \(StageNames.comment(task.words))")
    switch task {
    case .fill(_, let property): writeFill(type, property: property, entity: entity, schema: schema, model: model)
    case .distinguish(_, let property):
      guard let name = names.type(property, of: entity, in: model),
        let value = model.property(property, of: entity)?.attribute?.type.ownValue(name, position: "number")
      else { return lines.append("      // decide: a value of its own for every row") }
      lines.append("      for (number, object) in try context.fetch(FetchDescriptor<\(type)>()).enumerated() {")
      lines += ["        object.\(SwiftName.escaped(property)) = \(value)", "      }"]
    case .dedupe(_, let properties): writeDedupe(type, properties: properties, entity: entity, model: model)
    case .convert(_, let from, let to, let isRequired):
      writeConvert(type, from: from, to: to, isRequired: isRequired, entity: entity, model: model)
    case .link(_, let attribute, let relationship):
      writeLink(type, attribute: attribute, relationship: relationship, entity: entity, schema: schema, model: model)
    }
  }

  private mutating func writeFill(
    _ type: String, property: String, entity: String, schema: String, model: Model
  ) {
    guard let described = model.property(property, of: entity) else { return }
    let name = SwiftName.escaped(property)
    switch described.kind {
    case .attribute(let attribute):
      guard let value = names.type(property, of: entity, in: model).flatMap(attribute.type.startingValue) else {
        return lines.append("      // decide: a value of type \(attribute.type.name)")
      }
      lines.append("      for object in try context.fetch(FetchDescriptor<\(type)>()) where object.\(name) == nil {")
      lines.append("        object.\(name) = \(value)  // decide")
    case .relationship(let relationship):
      guard SwiftName.isIdentifier(relationship.destination) else { return }
      let variable = prefetching([property], of: type)
      lines.append(
        "      let destination = try context.fetch(FetchDescriptor<\(schema).\(SwiftName.escaped(relationship.destination))>())"
          + ".first  // decide")
      lines.append("      for object in try context.fetch(\(variable)) where object.\(name) == nil {")
      lines.append("        object.\(name) = destination")
    case .fetched: return
    }
    lines.append("      }")
  }

  /// A descriptor that fetches relationships with the objects; without it every object would fetch its own.
  private mutating func prefetching(_ relationships: [String], of type: String) -> String {
    guard !relationships.isEmpty else { return "FetchDescriptor<\(type)>()" }
    let variable = "objects\(lines.count)"
    let paths = relationships.map { "\\.\(SwiftName.escaped($0))" }.joined(separator: ", ")
    lines.append("      var \(variable) = FetchDescriptor<\(type)>()")
    lines.append("      \(variable).relationshipKeyPathsForPrefetching = [\(paths)]")
    return variable
  }

  private mutating func writeDedupe(_ type: String, properties: [String], entity: String, model: Model) {
    let links = model.toManyNames(of: entity).filter(SwiftName.isIdentifier)
    let parts = properties.map { name in
      guard let property = model.property(name, of: entity), property.relationship != nil else {
        return "object.\(SwiftName.escaped(name))"
      }
      return "object.\(SwiftName.escaped(name))\(property.isOptional ? "?" : "").persistentModelID"
    }
    let variable = prefetching(links, of: type)
    let kept = "kept\(lines.count)"
    lines.append("      var \(kept): [[AnyHashable?]: \(type)] = [:]")
    lines.append("      for object in try context.fetch(\(variable)) {")
    lines.append("        let key: [AnyHashable?] = [\(parts.joined(separator: ", "))]")
    lines.append("        guard !key.contains(nil) else { continue }  // NULL equals nothing")
    lines.append("        guard let first = \(kept)[key] else {")
    lines += ["          \(kept)[key] = object", "          continue", "        }"]
    for link in links.map(SwiftName.escaped) {
      lines.append("        first.\(link) = (first.\(link) ?? []) + (object.\(link) ?? [])")
    }
    lines += ["        context.delete(object)  // decide which of them is kept", "      }"]
  }

  private mutating func writeConvert(
    _ type: String, from: String, to: String, isRequired: Bool, entity: String, model: Model
  ) {
    guard let new = names.type(to, of: entity, in: model), names.type(from, of: entity, in: model) != nil,
      let attribute = model.property(to, of: entity)?.attribute
    else { return lines.append("      // decide: how its values are read and written") }
    let value = isRequired ? attribute.type.startingValue(new).map { " ?? \($0)  // decide" } ?? "" : ""
    lines.append("      for object in try context.fetch(FetchDescriptor<\(type)>()) {")
    lines.append(
      "        object.\(SwiftName.escaped(to)) = object.\(SwiftName.escaped(from))"
        + ".flatMap(\(names.conversion(of: to, entity)))\(value)")
    lines.append("      }")
  }

  private mutating func writeLink(
    _ type: String, attribute: String, relationship: String, entity: String, schema: String, model: Model
  ) {
    guard let destination = model.property(relationship, of: entity)?.relationship?.destination,
      SwiftName.isIdentifier(destination)
    else { return }
    let name = "\(schema).\(SwiftName.escaped(destination))"
    let variable = prefetching([relationship], of: type)
    lines.append("      let destinations = try context.fetch(FetchDescriptor<\(name)>())")
    lines.append(
      "      for object in try context.fetch(\(variable)) where object.\(SwiftName.escaped(attribute)) != nil {")
    lines.append(
      "        object.\(SwiftName.escaped(relationship)) = destinations.first  // decide which one the value stands for"
    )
    lines.append("      }")
  }

  /// The function beside the stages that converts to the new type.
  private mutating func writeConversion(_ task: StageTask) {
    guard case .convert(let entity, let from, let to, _) = task, SwiftName.isIdentifier(entity),
      task.properties.allSatisfy(SwiftName.isIdentifier)
    else { return }
    lines += names.conversionLines(entity, from: from, to: to, model: afterModel, isStatic: true)
  }
}
