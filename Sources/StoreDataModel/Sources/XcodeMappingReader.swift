import StorePropertyLists
import StoreText
import StoreWords

/// Reads a mapping model in Xcode's form: `xcmapping.xml`, a Core Data XML store.
///
/// ```xml
/// <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
/// <database>
///   <databaseInfo>...</databaseInfo>                        of the mapping's own model, not of the app's
///   <object type="XDDEVMAPPINGMODEL" id="z118">
///     <attribute name="sourcemodeldata" type="binary">YnBs...</attribute>        a model as Xcode edits it, in base64
///   </object>
///   <object type="XDDEVENTITYMAPPING" id="z106">
///     <attribute name="sourcename" type="string">Mood</attribute>                absent for an entity that is new
///     <attribute name="migrationpolicyclassname" type="string">MoodPolicy</attribute>
///     <relationship name="attributemappings" ... idrefs="z110 z112"></relationship>
///   </object>
///   <object type="XDDEVATTRIBUTEMAPPING" id="z110">
///     <attribute name="name" type="string">title</attribute>
///     <attribute name="valueexpressiondata" type="binary">YnBs...</attribute>    absent where Xcode generates it: same name
///   </object>
/// </database>
/// ```
struct XcodeMappingReader {
  private static let doctype = XMLReader.Doctype(
    name: "database", systemID: "file:///System/Library/DTDs/CoreData.dtd")
  /// The most entity mappings; a model may have as many entities, and each is mapped once.
  private static let maximumMappings = Model.maximumEntities

  static func mapping(in bytes: [UInt8], path: String) throws(ModelArchiveError) -> MappingModel {
    let document = MappingDocument()
    do throws(XMLError) {
      try XMLReader.read(bytes, doctype: doctype, handler: document)
    } catch {
      throw ModelArchiveError(place: "", message: error.description)
    }
    guard document.root == "database", let whole = document.objects.first(where: { $0.type == "XDDEVMAPPINGMODEL" })
    else { throw ModelArchiveError(place: "", message: "not a mapping model: no object 'XDDEVMAPPINGMODEL'") }
    let listed = document.objects.filter { $0.type == "XDDEVENTITYMAPPING" }
    guard listed.count <= maximumMappings else {
      throw ModelArchiveError(place: "", message: "\(listed.count) mappings, more than \(maximumMappings)")
    }
    let (source, destination) = (try model("source", of: whole), try model("destination", of: whole))
    let properties = Dictionary(
      document.objects.filter { $0.type == "XDDEVATTRIBUTEMAPPING" || $0.type == "XDDEVRELATIONSHIPMAPPING" }
        .map { ($0.id, $0) }
    ) { first, _ in first }
    let ends = (source: source.model, destination: destination.model)
    var mappings: [MappingModel.EntityMapping] = []
    for object in inOrder(listed) { mappings.append(entityMapping(object, properties, between: ends)) }
    return MappingModel(
      path: path, entityMappings: mappings,
      models: MappingModel.Models(
        source: source.model.versionHashes, destination: destination.model.versionHashes,
        unread: source.unread + destination.unread),
      sourceName: versionName(whole.text("sourcemodelpath")),
      destinationName: versionName(whole.text("destinationmodelpath")))
  }

  /// "Notes 2" of `App/Notes.xcdatamodeld/Notes 2.xcdatamodel`.
  private static func versionName(_ path: String?) -> String? {
    guard let last = path?.split(separator: "/").last, last.hasSuffix(".xcdatamodel") else { return nil }
    return String(last.dropLast(".xcdatamodel".count))
  }

  private static func model(_ side: String, of object: MappingDocument.Object) throws(ModelArchiveError) -> EditorModel
  {
    guard let text = object.attributes[side + "modeldata"], let bytes = Base64.decode(text), !bytes.isEmpty else {
      throw ModelArchiveError(place: "", message: "the \(side) model is missing or no base-64")
    }
    do throws(ModelArchiveError) {
      return try EditorModel(bytes)
    } catch {
      throw ModelArchiveError(place: "the \(side) model", message: error.description)
    }
  }

  /// Entity mappings by their number, which is the order in which Core Data goes through them.
  private static func inOrder(_ mappings: [MappingDocument.Object]) -> [MappingDocument.Object] {
    mappings.enumerated().sorted { one, other in
      let numbers = [one, other].map { $0.element.text("mappingnumber").flatMap { Int($0) } ?? .max }
      return (numbers[0], one.offset) < (numbers[1], other.offset)
    }.map(\.element)
  }

  private static func entityMapping(
    _ object: MappingDocument.Object, _ properties: [String: MappingDocument.Object],
    between models: (source: Model, destination: Model)
  ) -> MappingModel.EntityMapping {
    func side(_ key: String, of model: Model) -> MappingModel.Side? {
      object.text(key).map { MappingModel.Side(entity: $0, hash: model.versionHashes.byEntity[$0]) }
    }
    let (from, to) = (side("sourcename", of: models.source), side("destinationname", of: models.destination))
    // Named as Core Data does.
    let name = [from?.entity, to?.entity].compactMap(\.self).joined(separator: "To")
    var mapping = MappingModel.EntityMapping(
      name: name, source: from, destination: to, policyClassName: object.text("migrationpolicyclassname"),
      filter: object.text("sourcefilterpredicatestring"))
    let known = from.map { models.source.properties(of: $0.entity) } ?? [:]
    mapping.attributes = object.targets(of: "attributemappings", among: properties).map { listed in
      listed.compactMap { property in
        property.text("name").map { attribute in
          let isKnown = known[attribute]?.property.attribute != nil
          let generated: Expression? = isKnown ? .path(of: .variable("source"), attribute) : nil
          return MappingModel.PropertyMapping(attribute, expression(of: property) ?? generated)
        }
      }
    }
    mapping.relationships = object.targets(of: "relationshipmappings", among: properties).map { listed in
      listed.compactMap { property in
        property.text("name").map { relationship in
          let isKnown = known[relationship]?.property.relationship != nil
          return MappingModel.PropertyMapping(
            relationship, expression(of: property) ?? generated(property, named: relationship, isKnown: isKnown))
        }
      }
    }
    return mapping
  }

  /// The links that Xcode generates: of what the key path leads to, by the entity mapping named beside it, or else those of
  /// the relationship of the same name.
  private static func generated(
    _ property: MappingDocument.Object, named name: String, isKnown: Bool
  ) -> Expression? {
    if let mapping = property.text("sourcemappingname"), let path = property.text("sourcekeypath") {
      let prefix = "$source."
      guard path.hasPrefix(prefix) else { return .text(path) }
      return .function(
        MappingModel.instancesOfMapping, operand: .variable("manager"),
        [.constant(.string(mapping)), .path(of: .variable("source"), String(path.dropFirst(prefix.count)))])
    }
    guard isKnown else { return nil }
    return .function(
      MappingModel.instancesOfRelationship, operand: .variable("manager"),
      [.constant(.string(name)), .path(of: .variable("source"), name)])
  }

  /// The archived expression of a property; nil where there is none. One that cannot be read is kept as such.
  private static func expression(of property: MappingDocument.Object) -> Expression? {
    guard let text = property.text("valueexpressiondata") else { return nil }
    guard let bytes = Base64.decode(text), let archive = try? KeyedArchive(bytes) else {
      return MappingModel.unreadableExpression
    }
    var reader = ModelArchiveReader(archive)
    return (try? reader.expression(archive.root, at: "", depth: 0)) ?? MappingModel.unreadableExpression
  }
}

/// Collects the objects of the document with their attributes.
private final class MappingDocument: XMLHandler {
  private(set) var root: String?
  private(set) var objects: [Object] = []
  private var depth = 0
  private var attribute: (name: String, text: String)?

  struct Object {
    var type: String
    var id = ""
    var attributes: [String: String] = [:]
    /// The ids of the objects that each relationship leads to.
    var links: [String: [String]] = [:]

    /// The value of an attribute; nil if it is missing or empty.
    func text(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The objects a relationship leads to, by name; nil where it is not there.
    func targets(of relationship: String, among objects: [String: Object]) -> [Object]? {
      links[relationship].map { ids in
        ids.compactMap { objects[$0] }.sorted {
          codeUnitsPrecede($0.attributes["name"] ?? "", $1.attributes["name"] ?? "")
        }
      }
    }
  }

  func start(_ name: String, attributes: [XMLAttribute], at position: XMLPosition) {
    depth += 1
    func value(_ name: String) -> String { attributes.first { $0.name == name }?.value ?? "" }
    switch (depth, name) {
    case (1, _): root = name
    case (2, "object"): objects.append(Object(type: value("type"), id: value("id")))
    case (3, "relationship"):
      guard let last = objects.indices.last else { return }
      objects[last].links[value("name")] = value("idrefs").split(separator: " ").map(String.init)
    case (3, "attribute") where !objects.isEmpty: attribute = (value("name"), "")
    default: break
    }
  }

  func text(_ text: String) { attribute?.text += text }

  func end() {
    if depth == 3, let (name, text) = attribute, let last = objects.indices.last {
      objects[last].attributes[name] = text
      attribute = nil
    }
    depth -= 1
  }
}
