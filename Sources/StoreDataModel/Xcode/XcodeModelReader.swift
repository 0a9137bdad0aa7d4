import StoreWords
/// Makes a model of the elements of a `contents` file. The attribute names in the tables below were found in Xcode's
/// files; those that only Xcode uses (`carried`) are kept without being interpreted.
struct XcodeModelReader {
  private let root: XMLElement
  private var positions: [String: XMLPosition] = [:]
  private(set) var unknown: [XcodeModel.Unknown] = []
  var composites = XcodeComposites()

  init(_ root: XMLElement) {
    self.root = root
  }

  mutating func model() throws(XcodeModelError) -> Model {
    let fields = XcodeFields(root, "")
    guard root.name == "model" else {
      throw fields.error("the document holds <\(root.name)>, not <model>")
    }
    note(fields, read: ["userDefinedModelVersionIdentifier"], carried: Self.carriedByModel)
    try composites.declare(root.children(named: "composite"))
    var entities: [Entity] = []
    var configurations: [String: [String]] = [:]
    var fetchRequests: [FetchRequest] = []
    for element in root.children {
      switch element.name {
      case "entity": entities.append(try entity(element))
      case "configuration":
        let (name, members) = try configuration(element)
        configurations[name] = members
      case "fetchRequest": fetchRequests.append(try fetchRequest(element))
      // The positions of the boxes in the diagram.
      case "composite", "elements": break
      default: noteElement(element, in: "")
      }
    }
    // An existing but empty identifier is an empty string in the archive (20 model caches).
    let identifiers = root["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
    do throws(ModelError) {
      return try Model(
        entities: entities, configurations: configurations, versionIdentifiers: identifiers,
        fetchRequests: fetchRequests, keepsFaults: true)
    } catch {
      throw located(error)
    }
  }

  private static let carriedByModel: Set<String> = [
    "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
    "sourceLanguage", "macOSVersion", "iOSVersion",
  ]

  private func located(_ error: ModelError) -> XcodeModelError {
    let place = error.property.map { "\(error.entity).\($0)" } ?? error.entity
    return XcodeModelError(place: "", position: positions[place], message: error.description)
  }

  // MARK: Unknown parts

  /// Records the attributes of an element that are neither read nor known to be used only by Xcode.
  mutating func note(_ fields: XcodeFields, read: Set<String>, carried: Set<String> = []) {
    for attribute in fields.element.attributes
    where !read.contains(attribute.name) && !carried.contains(attribute.name) {
      note(.attribute(attribute.name), at: fields)
    }
  }

  mutating func note(_ item: XcodeModel.Unknown.Item, at fields: XcodeFields) {
    guard unknown.count < XcodeModel.maximumUnknown else { return }
    unknown.append(XcodeModel.Unknown(place: fields.place, item: item, position: fields.element.position))
  }

  mutating func noteElement(_ element: XMLElement, in place: String) {
    note(.element(element.name), at: XcodeFields(element, place))
  }

  mutating func remember(_ fields: XcodeFields) {
    positions[fields.place] = fields.element.position
  }
}

// MARK: - Entities

extension XcodeModelReader {
  private static let readOfEntity: Set<String> = [
    "name", "parentEntity", "isAbstract", "representedClassName", "versionHashModifier", "elementID",
    "renamingIdentifier",
  ]

  private mutating func entity(_ element: XMLElement) throws(XcodeModelError) -> Entity {
    let name = try XcodeFields(element, "").requiredText("name")
    let fields = XcodeFields(element, name)
    remember(fields)
    note(fields, read: Self.readOfEntity, carried: ["syncable", "codeGenerationType"])
    var entity = Entity(
      name: name, parent: fields.text("parentEntity"), isAbstract: try fields.flag("isAbstract"),
      className: fields.text("representedClassName"), versionHashModifier: fields.text("versionHashModifier"),
      renamingIdentifier: fields.renaming(of: name))
    entity.sourceFields = element.fields(without: Self.readOfEntity)
    entity.isFromEditor = true
    for child in element.children {
      switch child.name {
      case "attribute", "relationship", "fetchedProperty":
        entity.properties.append(try property(child, entity: name))
      case "fetchIndex": entity.indexes.append(try fetchIndex(child, entity: name))
      case "compoundIndexes":
        entity.compoundIndexes += try lists(child, of: "compoundIndex", of: "index", entity: name)
      case "uniquenessConstraints":
        entity.uniquenessConstraints += try lists(child, of: "uniquenessConstraint", of: "constraint", entity: name)
      case "userInfo": entity.userInfo = try userInfo(child, at: name)
      default: noteElement(child, in: name)
      }
    }
    return entity
  }

  /// Lists of property names: `<outer><member value="title"/>...</outer>`. Empty lists are ignored.
  private mutating func lists(
    _ element: XMLElement, of outer: String, of member: String, entity: String
  ) throws(XcodeModelError) -> [[String]] {
    note(XcodeFields(element, entity), read: [])
    var result: [[String]] = []
    for list in element.children {
      guard list.name == outer else {
        noteElement(list, in: entity)
        continue
      }
      note(XcodeFields(list, entity), read: [])
      var names: [String] = []
      for child in list.children {
        guard child.name == member else {
          noteElement(child, in: entity)
          continue
        }
        let fields = XcodeFields(child, entity)
        note(fields, read: ["value"])
        names.append(try fields.requiredText("value"))
      }
      if !names.isEmpty { result.append(names) }
    }
    return result
  }

  private mutating func fetchIndex(_ element: XMLElement, entity: String) throws(XcodeModelError) -> FetchIndex {
    let name = try XcodeFields(element, entity).requiredText("name")
    let fields = XcodeFields(element, "\(entity).\(name)")
    note(fields, read: ["name"], carried: ["elementID"])
    var index = FetchIndex(name: name, elements: [])
    for child in element.children {
      guard child.name == "fetchIndexElement" else {
        noteElement(child, in: fields.place)
        continue
      }
      index.elements.append(try fetchIndexElement(XcodeFields(child, fields.place)))
    }
    return index
  }

  private mutating func fetchIndexElement(_ fields: XcodeFields) throws(XcodeModelError) -> FetchIndex.Element {
    note(fields, read: ["property", "type", "order", "expression"], carried: ["expressionType", "elementID"])
    let isAscending = (fields.text("order") ?? "ascending").lowercased() == "ascending"
    let type = fields.text("type") ?? "Binary"
    if !["binary", "rtree"].contains(type.lowercased()) { note(.value(attribute: "type", type), at: fields) }
    let kind: FetchIndex.Element.Kind = type.lowercased() == "rtree" ? .rTree : .binary
    if let property = fields.text("property") {
      return FetchIndex.Element(property, isAscending: isAscending, kind: kind)
    }
    guard let expression = fields.text("expression") else {
      throw fields.error("<fetchIndexElement> without 'property'")
    }
    // Archives number their expressions ("expression13"); the numbers cannot be derived from the XML.
    note(.value(attribute: "expression", expression), at: fields)
    return FetchIndex.Element(
      expression, expression: Expression(xcodeText: expression), isAscending: isAscending, kind: kind)
  }

  /// `<userInfo><entry key="k" value="v"/></userInfo>`.
  mutating func userInfo(_ element: XMLElement, at place: String) throws(XcodeModelError) -> [String: String] {
    note(XcodeFields(element, place), read: [])
    var result: [String: String] = [:]
    for entry in element.children {
      guard entry.name == "entry" else {
        noteElement(entry, in: place)
        continue
      }
      let fields = XcodeFields(entry, place)
      note(fields, read: ["key", "value"])
      result[entry["key"] ?? ""] = entry["value"] ?? ""
    }
    return result
  }
}

// MARK: - Configurations and fetch requests

extension XcodeModelReader {
  private mutating func configuration(
    _ element: XMLElement
  ) throws(XcodeModelError) -> (name: String, members: [String]) {
    let name = try XcodeFields(element, "").requiredText("name")
    note(XcodeFields(element, name), read: ["name"], carried: ["usedWithCloudKit"])
    var members: [String] = []
    for child in element.children {
      guard child.name == "memberEntity" else {
        noteElement(child, in: name)
        continue
      }
      let fields = XcodeFields(child, name)
      note(fields, read: ["name"])
      members.append(try fields.requiredText("name"))
    }
    return (name, members.sorted(by: codeUnitsPrecede))
  }

  mutating func fetchRequest(_ element: XMLElement, in place: String = "") throws(XcodeModelError) -> FetchRequest {
    let name = try XcodeFields(element, place).requiredText("name")
    let fields = XcodeFields(element, place.isEmpty ? name : place)
    let read: Set<String> = ["name", "entity", "predicateString"]
    note(fields, read: read, carried: ["elementID"])
    for child in element.children { noteElement(child, in: fields.place) }
    var request = FetchRequest(name: name, entityName: fields.text("entity"))
    request.predicate = fields.text("predicateString").map { Predicate(xcodeText: $0) }
    request.sourceFields = element.fields(without: read)
    return request
  }
}
