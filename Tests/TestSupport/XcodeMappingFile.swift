import Foundation
import StoreDataModel
import StorePropertyLists

/// A mapping model in Xcode's form (`xcmapping.xml`), with both models as archived by Xcode's editor.
///
/// The structure follows real files: an `XDPMModel` of entities and properties, whose settings are in stereotypes.
package struct XcodeMappingFile {
  private let source: Model
  private let destination: Model
  /// For each entity, the class of its migration policy.
  package var policies: [String: String] = [:]
  /// The entity mappings with what they say of properties; nil for one without properties for each entity, by name.
  package var mappings: [EntityMapping]?

  /// An entity mapping with all it says.
  package struct EntityMapping: Sendable {
    package var source: String?
    package var destination: String?
    package var policy: String?
    package var filter: String?
    package var attributes: [PropertyMapping]
    package var relationships: [PropertyMapping]

    package init(
      _ source: String?, to destination: String?, policy: String? = nil, filter: String? = nil,
      attributes: [PropertyMapping] = [], relationships: [PropertyMapping] = []
    ) {
      (self.source, self.destination, self.policy, self.filter) = (source, destination, policy, filter)
      (self.attributes, self.relationships) = (attributes, relationships)
    }

    /// All properties of the destination, each as Xcode fills it by itself.
    package static func generated(_ source: String, to destination: String, in target: Model) -> EntityMapping {
      let properties = target.properties(of: destination).map { ($0.key, $0.value.property) }.sorted { $0.0 < $1.0 }
      return EntityMapping(
        source, to: destination,
        attributes: properties.filter { $0.1.attribute != nil }.map { PropertyMapping($0.0) },
        relationships: properties.filter { $0.1.relationship != nil }.map { PropertyMapping($0.0) })
    }
  }

  /// What an entity mapping says of one property: nothing, so that Xcode generates it, or an expression.
  package struct PropertyMapping: Sendable {
    package var name: String
    package var expression: StoreDataModel.Expression?
    /// The entity mapping and key path that Xcode generates the links of a relationship by.
    package var links: (mapping: String, path: String)?

    package init(
      _ name: String, _ expression: StoreDataModel.Expression? = nil, links: (mapping: String, path: String)? = nil
    ) {
      (self.name, self.expression, self.links) = (name, expression, links)
    }
  }

  /// The text before the root element.
  package var doctype = #"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#
  /// The name of a stereotype value that no reader knows, added to every attribute.
  package var unknownField: String?

  /// A mapping model from one model to another.
  package init(from source: Model, to destination: Model) {
    self.source = source
    self.destination = destination
  }

  /// The text of `xcmapping.xml`.
  package var text: String {
    let names = Set(source.entities.map(\.name)).union(destination.entities.map(\.name)).sorted()
    let mappings =
      mappings.map(whole)
      ?? names.enumerated().map { position, name in
        let sides = [("sourcename", source), ("destinationname", destination)]
          .filter { $0.1.entity(named: name) != nil }
          .map { attribute($0.0, name) }
        let policy = policies[name].map { [attribute("migrationpolicyclassname", $0)] } ?? []
        return """
              <object type="XDDEVENTITYMAPPING" id="z\(position + 10)">
          \((sides + policy + [attribute("mappingtypename", "Undefined")]).joined(separator: "\n"))
              </object>
          """
      }
    return """
      <?xml version="1.0" standalone="no"?>
      \(doctype)

      <database>
          <databaseInfo>
              <metadata><plist version="1.0"><dict><key>NSStoreModelVersionHashesVersion</key><integer>3</integer></dict></plist></metadata>
          </databaseInfo>
      \(mappings.joined(separator: "\n"))
          <object type="XDDEVMAPPINGMODEL" id="z9">
      \(attribute("sourcemodeldata", base64(source), "binary"))
      \(attribute("destinationmodeldata", base64(destination), "binary"))
          </object>
      </database>

      """
  }

  private func whole(_ mappings: [EntityMapping]) -> [String] {
    mappings.enumerated().flatMap { position, mapping -> [String] in
      func id(_ number: Int, _ kind: Int) -> String { "z\(1_000 * (position + 1) + 2 * number + kind)" }
      let attributes = mapping.attributes.enumerated().map { property($1, "ATTRIBUTE", id: id($0, 0)) }
      let relationships = mapping.relationships.enumerated().map { property($1, "RELATIONSHIP", id: id($0, 1)) }
      let texts = [
        ("sourcename", mapping.source), ("destinationname", mapping.destination),
        ("migrationpolicyclassname", mapping.policy), ("sourcefilterpredicatestring", mapping.filter),
        ("mappingnumber", String(position + 1)), ("mappingtypename", "Undefined"),
      ].compactMap { name, value in value.map { attribute(name, $0) } }
      let links = [("attribute", mapping.attributes.count, 0), ("relationship", mapping.relationships.count, 1)].map {
        name, count, kind in
        let ids = (0..<count).map { id($0, kind) }.joined(separator: " ")
        return "        <relationship name=\"\(name)mappings\" type=\"0/0\" idrefs=\"\(ids)\"></relationship>"
      }
      let entity = """
            <object type="XDDEVENTITYMAPPING" id="z\(position + 10)">
        \((texts + links).joined(separator: "\n"))
            </object>
        """
      return attributes + relationships + [entity]
    }
  }

  private func property(_ mapping: PropertyMapping, _ kind: String, id: String) -> String {
    var lines = [attribute("name", mapping.name)]
    if let expression = mapping.expression {
      var builder = KeyedArchiveBuilder()
      let root = builder.expression(expression)
      lines.append(attribute("valueexpressiondata", Data(builder.binary(root: root)).base64EncodedString(), "binary"))
    }
    if let links = mapping.links {
      lines += [attribute("sourcemappingname", links.mapping), attribute("sourcekeypath", links.path)]
    }
    return """
          <object type="XDDEV\(kind)MAPPING" id="\(id)">
      \(lines.joined(separator: "\n"))
          </object>
      """
  }

  /// Writes a folder `NAME.xcmappingmodel` with the file in it.
  @discardableResult
  package func write(to path: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try text.write(toFile: path + "/xcmapping.xml", atomically: true, encoding: .utf8)
    return path
  }

  private func attribute(_ name: String, _ value: String, _ type: String = "string") -> String {
    "        <attribute name=\"\(name)\" type=\"\(type)\">\(Self.escaped(value))</attribute>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private func base64(_ model: Model) -> String {
    var writer = EditorArchive(unknownField: unknownField)
    return Data(writer.bytes(of: model)).base64EncodedString(options: .lineLength64Characters)
  }
}

/// Archives a model like Xcode's editor.
private struct EditorArchive {
  private var builder = KeyedArchiveBuilder()
  private var entities: [String: KeyedArchiveBuilder.ID] = [:]
  private var properties: [String: KeyedArchiveBuilder.ID] = [:]
  private let unknownField: String?

  init(unknownField: String?) { self.unknownField = unknownField }

  mutating func bytes(of model: Model) -> [UInt8] {
    for entity in model.entities {
      entities[entity.name] = builder.reserve()
      for property in entity.properties { properties["\(entity.name).\(property.name)"] = builder.reserve() }
    }
    for entity in model.entities { fill(entity, model) }
    let classes = builder.mutableDictionary(
      model.entities.map { (builder.string($0.name), entities[$0.name] ?? builder.reserve()) })
    let package = builder.object(
      ["XDModelPackage", "NSObject"], fields: [("XDBucketForClassesstorage", .reference(classes))])
    let root = builder.object(["XDPMModel", "XDModel", "NSObject"], fields: [("_xd_rootPackage", .reference(package))])
    return builder.binary(root: root)
  }

  private mutating func fill(_ entity: Entity, _ model: Model) {
    let constraints = builder.mutableArray(
      entity.uniquenessConstraints.map { constraint in builder.array(constraint.map { builder.string($0) }) })
    let stereotypes = stereotypes([
      "XD_PStereotype": [
        ("XD_PSK_isAbstract", builder.boolean(entity.isAbstract)),
        ("XD_PSK_versionHashModifier", text(entity.versionHashModifier)), ("XDPMUniquenessConstraints", constraints),
      ]
    ])
    let owned = builder.mutableDictionary(
      entity.properties.map { (builder.string($0.name), properties["\(entity.name).\($0.name)"] ?? builder.reserve()) })
    var fields: [(String, KeyedArchiveBuilder.Field)] = [
      ("_name", .reference(builder.string(entity.name))), ("XDBucketForStereotypesstorage", .reference(stereotypes)),
      ("XDBucketForOwnedAttributesstorage", .reference(owned)),
    ]
    if let parent = entity.parent.flatMap({ entities[$0] }) {
      let generalization = builder.object(
        ["XDUMLGeneralizationImp", "NSObject"], fields: [("_general", .reference(parent))])
      fields.append(("XDBucketForGeneralizationsstorage", .reference(builder.mutableArray([generalization]))))
    }
    if let id = entities[entity.name] {
      builder.fill(id, classes: ["XDPMEntity", "XDUMLClassImp", "NSObject"], fields: fields)
    }
    for property in entity.properties { fill(property, of: entity, model) }
  }

  private mutating func fill(_ property: Property, of entity: Entity, _ model: Model) {
    guard let id = properties["\(entity.name).\(property.name)"] else { return }
    let common = [
      ("XD_PPSK_isOptional", builder.boolean(property.isOptional)),
      ("XD_PPSK_isTransient", builder.boolean(property.isTransient)),
      ("XD_PPSK_versionHashModifier", text(property.versionHashModifier)),
    ]
    let (kind, own): (String, [(String, KeyedArchiveBuilder.ID)]) =
      switch property.kind {
      case .attribute(let attribute): ("XDPMAttribute", self.attribute(attribute))
      case .relationship(let relationship): ("XDPMRelationship", self.relationship(relationship, model))
      case .fetched: ("XDPMFetchedProperty", [])
      }
    let stereotypes = stereotypes(["XD_PPropStereotype": common, "XD_POwn": own])
    builder.fill(
      id, classes: [kind, "XDUMLPropertyImp", "NSObject"],
      fields: [
        ("_name", .reference(builder.string(property.name))),
        ("XDBucketForStereotypesstorage", .reference(stereotypes)), ("_isDerived", .boolean(false)),
      ])
  }

  private mutating func attribute(_ attribute: Attribute) -> [(String, KeyedArchiveBuilder.ID)] {
    [
      ("XD_PAttK_attributeType", builder.integer(Int64(attribute.type.rawValue))),
      ("XD_PAttK_allowsExternalBinaryDataStorage", builder.boolean(attribute.allowsExternalStorage)),
      ("XD_PAttK_defaultValueAsString", builder.string("0")),
    ] + (unknownField.map { [($0, builder.boolean(true))] } ?? [])
  }

  private mutating func relationship(
    _ relationship: Relationship, _ model: Model
  ) -> [(String, KeyedArchiveBuilder.ID)] {
    let declarer = relationship.inverse.flatMap { model.topmostDeclarer(of: $0, in: relationship.destination) }
    let inverse = relationship.inverse.flatMap { properties["\(declarer ?? "").\($0)"] }
    return [
      ("XD_PRK_isToMany", builder.boolean(relationship.isToMany)),
      ("XD_PRK_minCount", builder.integer(Int64(relationship.minimumCount))),
      ("XD_PRK_maxCount", builder.integer(Int64(relationship.maximumCount))),
      ("XD_PRK_ordered", builder.boolean(relationship.isOrdered)),
    ] + (entities[relationship.destination].map { [("XD_PRK_destination", $0)] } ?? [])
      + (inverse.map { [("XD_PRK_inverseRelationship", $0)] } ?? [])
  }

  private mutating func text(_ text: String?) -> KeyedArchiveBuilder.ID { builder.string(text ?? "") }

  /// Stereotypes by name, each with its values.
  private mutating func stereotypes(
    _ all: [String: [(String, KeyedArchiveBuilder.ID)]]
  ) -> KeyedArchiveBuilder.ID {
    var pairs: [(KeyedArchiveBuilder.ID, KeyedArchiveBuilder.ID)] = []
    for (name, values) in all.sorted(by: { $0.key < $1.key }) {
      let owned = values.map { name, value in
        (
          builder.string(name),
          builder.object(["XDUMLPropertyImp", "NSObject"], fields: [("_default", .reference(value))])
        )
      }
      let storage = builder.mutableDictionary(owned)
      pairs.append(
        (
          builder.string(name),
          builder.object(
            ["XDUMLStereotypeImp", "NSObject"], fields: [("XDBucketForOwnedAttributesstorage", .reference(storage))])
        ))
    }
    return builder.mutableDictionary(pairs)
  }
}

extension KeyedArchiveBuilder {
  /// Archives an expression of a mapping model as Xcode does.
  fileprivate mutating func expression(_ expression: StoreDataModel.Expression) -> ID {
    switch expression {
    case .variable(let name):
      return object(
        ["NSVariableExpression", "NSExpression", "NSObject"],
        fields: [("NSVariable", .reference(string(name))), ("NSExpressionType", .integer(2))])
    case .constant(let constant):
      let value =
        switch constant {
        case .string(let text): string(text)
        case .integer(let value): integer(value)
        case .real(let value): real(value)
        case .boolean(let flag): boolean(flag)
        case .date(let seconds): date(seconds)
        case .null, .list, .object: Self.null
        }
      return object(
        ["NSConstantValueExpression", "NSExpression", "NSObject"],
        fields: [("NSConstantValue", .reference(value)), ("NSExpressionType", .integer(0))])
    case .path(let base, let path):
      let specifier = object(
        ["NSKeyPathSpecifierExpression", "NSExpression", "NSObject"],
        fields: [("NSKeyPath", .reference(string(path))), ("NSExpressionType", .integer(10))])
      return call("valueForKeyPath:", "NSKeyPathExpression", on: self.expression(base), [specifier])
    case .function(let selector, let operand, let arguments):
      let written = arguments.map { self.expression($0) }
      return call(selector, "NSFunctionExpression", on: operand.map { self.expression($0) } ?? Self.null, written)
    case .evaluatedObject, .keyPath, .aggregate, .text, .other:
      return object(["NSSelfExpression", "NSExpression", "NSObject"], fields: [("NSExpressionType", .integer(1))])
    }
  }

  private mutating func call(_ selector: String, _ className: String, on operand: ID, _ arguments: [ID]) -> ID {
    object(
      [className, "NSFunctionExpression", "NSExpression", "NSObject"],
      fields: [
        ("NSOperand", .reference(operand)), ("NSSelectorName", .reference(string(selector))),
        ("NSExpressionType", .integer(4)), ("NSArguments", .reference(array(arguments))),
      ])
  }
}
