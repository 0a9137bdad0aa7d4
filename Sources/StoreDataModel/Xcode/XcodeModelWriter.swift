import StoreWords
/// Writes a model as the `contents` file of an `.xcdatamodel`.
///
/// The text, read back, gives an equal model with the same version hashes, except for what is listed in ``lost``. The
/// text is read back to verify that.
///
/// ```swift
/// let written = XcodeModelWriter(model)
/// written.text   // "<?xml version=…><model type="com.apple.IDECoreDataModeler.DataModel" …"
/// written.lost   // [Note.cover: the default value, which is of class 'Cover']
/// ```
package struct XcodeModelWriter: Sendable {
  /// A part of the model that the text does not contain, or contains in another form.
  package typealias Lost = ConversionLoss

  /// The document.
  package let text: String
  /// The parts that the text does not contain, sorted.
  package let lost: [Lost]

  /// Writes a model.
  ///
  /// - Parameter fields: attributes of the `model` element that only Xcode uses, such as those in
  ///   ``XcodeModel/sourceFields``; missing ones get their usual values.
  package init(_ model: Model, fields: [String: String] = [:]) {
    var writer = XcodeWriting(model: model)
    writer.write(fields: fields)
    let found = XcodeReadBack.losses(of: model, writtenAs: writer.xml.text, besides: writer.lost)
    text = writer.xml.text
    lost = writer.lost.union(found).sorted()
  }
}

/// Writes one document.
struct XcodeWriting {
  let model: Model
  var xml = XMLText()
  private(set) var lost: Set<ConversionLoss> = []
  var composites = XcodeCompositeNames()

  init(model: Model) { self.model = model }

  mutating func lose(_ place: String, what: String) {
    lost.insert(ConversionLoss(place: place, what: what))
  }

  mutating func write(fields: [String: String]) {
    if model.versionIdentifiers.count > 1 {
      lose(
        "", what: "version identifiers but the first: \(model.versionIdentifiers.dropFirst().joined(separator: ", "))")
    }
    var usual = [
      "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0", "minimumToolsVersion": "Automatic",
      "sourceLanguage": "Swift",
    ].merging(fields) { $1 }
    usual["userDefinedModelVersionIdentifier"] = model.versionIdentifiers.first
    xml.open("model", attributes: own(usual, besides: [], at: ""))
    for entity in model.entities { write(entity) }
    for request in model.fetchRequests { write(request, at: request.name) }
    for (name, members) in model.configurations.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      writeList(
        "configuration", attributes: [("name", name)], children: members.map { ("memberEntity", [("name", $0)]) })
    }
    while let (name, elements) = composites.next() {
      xml.open("composite", attributes: [("name", name)])
      for element in elements { write(element, in: name) }
      xml.close("composite")
    }
    xml.close("model")
    if xml.hasReplaced { lose("", what: "characters that XML cannot hold; each is U+FFFD now") }
  }

  /// The source fields, sorted, without those in `known`.
  mutating func own(_ fields: [String: String], besides known: Set<String>, at place: String) -> XMLText.Attributes {
    let others = fields.filter { !known.contains($0.key) }.sorted { codeUnitsPrecede($0.key, $1.key) }
    for (name, _) in others where !XMLText.isName(name) {
      lose(place, what: "the field '\(name)', which is no XML name")
    }
    return others.filter { XMLText.isName($0.key) }.map { ($0.key, $0.value) }
  }

  /// Writes an element whose children only have attributes.
  mutating func writeList(
    _ name: String, attributes: XMLText.Attributes, children: [(String, XMLText.Attributes)]
  ) {
    guard !children.isEmpty else { return xml.empty(name, attributes: attributes) }
    xml.open(name, attributes: attributes)
    for (child, attributes) in children { xml.empty(child, attributes: attributes) }
    xml.close(name)
  }

  mutating func write(userInfo: [String: String]) {
    guard !userInfo.isEmpty else { return }
    let sorted = userInfo.sorted { codeUnitsPrecede($0.key, $1.key) }
    writeList("userInfo", attributes: [], children: sorted.map { ("entry", [("key", $0.key), ("value", $0.value)]) })
  }

  // MARK: Entities

  private mutating func write(_ entity: Entity) {
    let said: XMLText.Attributes = [
      ("name", entity.name), ("representedClassName", entity.className), ("parentEntity", entity.parent),
      ("isAbstract", entity.isAbstract ? "YES" : nil), ("versionHashModifier", entity.versionHashModifier),
      ("elementID", entity.renamingIdentifier),
    ]
    if entity.className == "" { lose(entity.name, what: "that its class name is an empty text") }
    xml.open("entity", attributes: said + own(entity.sourceFields, besides: Set(said.map(\.name)), at: entity.name))
    for property in entity.properties where property.attribute != nil { write(property, in: entity.name) }
    for property in entity.properties where property.attribute == nil { write(property, in: entity.name) }
    for index in entity.indexes { write(index, of: entity.name) }
    write(entity.compoundIndexes, names: ("compoundIndexes", "compoundIndex", "index"), of: entity.name)
    write(
      entity.uniquenessConstraints, names: ("uniquenessConstraints", "uniquenessConstraint", "constraint"),
      of: entity.name)
    write(userInfo: entity.userInfo)
    xml.close("entity")
  }

  private mutating func write(
    _ lists: [[String]], names: (all: String, one: String, member: String), of entity: String
  ) {
    if lists.contains([]) { lose(entity, what: "an empty list among its \(names.all)") }
    guard !lists.isEmpty else { return }
    xml.open(names.all, attributes: [])
    for list in lists { writeList(names.one, attributes: [], children: list.map { (names.member, [("value", $0)]) }) }
    xml.close(names.all)
  }

  private mutating func write(_ index: FetchIndex, of entity: String) {
    let place = "\(entity).\(index.name)"
    if let predicate = index.partialPredicate {
      lose(place, what: "the index's predicate '\(predicate)', as it is not known how Xcode spells it")
    }
    let elements = index.elements.map { element in
      (
        "fetchIndexElement",
        [
          ("property", element.expression == nil ? element.propertyName : nil),
          ("expression", spelling(of: element, at: place)), ("type", element.kind == .rTree ? "RTree" : "Binary"),
          ("order", element.isAscending ? "ascending" : "descending"),
        ] as XMLText.Attributes
      )
    }
    writeList("fetchIndex", attributes: [("name", index.name)], children: elements)
  }

  private mutating func spelling(of element: FetchIndex.Element, at place: String) -> String? {
    guard let expression = element.expression else { return nil }
    let text = expression.xcodeText
    // Archives number their expressions; the XML does not.
    if element.propertyName != text {
      lose(place, what: "the name '\(element.propertyName)' of the expression '\(text)'")
    }
    if Expression(xcodeText: text) != expression {
      lose(place, what: "the form of the expression '\(text)', kept as text")
    }
    return text
  }

  mutating func write(_ request: FetchRequest, at place: String) {
    let said: XMLText.Attributes = [
      ("name", request.name), ("entity", request.entityName),
      ("predicateString", request.predicate.map { spelling(of: $0, at: place) }),
    ]
    xml.empty("fetchRequest", attributes: said + own(request.sourceFields, besides: Set(said.map(\.name)), at: place))
  }

  private mutating func spelling(of predicate: Predicate, at place: String) -> String {
    let text = predicate.description
    if Predicate(xcodeText: text) != predicate {
      lose(place, what: "the form of the predicate '\(text)', kept as text")
    }
    return text
  }
}

/// Gives names to the composites of a document: Xcode declares them beside the entities, a model contains them in
/// place.
struct XcodeCompositeNames {
  private var named: [(name: String, elements: [Property])] = []
  /// For each base name, how often it was used, and its latest composite.
  private var latest: [String: (count: Int, position: Int)] = [:]
  private var taken: Set<String> = []
  private var written = 0

  /// The name of a composite: the attribute's name capitalised, with a number if it is taken. Attributes with the same
  /// name and elements share a composite.
  mutating func name(for attribute: String, _ elements: [Property]) -> String {
    let base = attribute.prefix(1).uppercased() + attribute.dropFirst()
    var count = 1
    if let known = latest[base] {
      let other = named[known.position]
      if other.elements == elements && other.elements.areCarriedAlike(elements) { return other.name }
      count = known.count + 1
    }
    var name = count == 1 ? base : base + String(count)
    while !taken.insert(name).inserted { name += "_" }
    latest[base] = (count, named.count)
    named.append((name, elements))
    return name
  }

  /// The next composite to write; writing one may add others.
  mutating func next() -> (name: String, elements: [Property])? {
    guard written < named.count else { return nil }
    written += 1
    return named[written - 1]
  }
}

extension [Property] {
  /// Whether the fields that are not compared are equal too.
  fileprivate func areCarriedAlike(_ others: [Property]) -> Bool {
    zip(self, others).allSatisfy { one, other in
      one.userInfo == other.userInfo && one.sourceFields == other.sourceFields
        && (one.attribute?.elements ?? []).areCarriedAlike(other.attribute?.elements ?? [])
    }
  }
}
