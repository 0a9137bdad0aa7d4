import StoreDataModel
import StoreGenerator
import TestSupport

/// What a mapping model makes of objects, worked out in memory from `docs/format/mapping-models.md` alone.
struct MappingInterpreter {
  let rows: MadeRows
  let target: Model
  let mappings: [XcodeMappingFile.EntityMapping]
  /// Whether an object passes an entity mapping's condition.
  let passes: (XcodeMappingFile.EntityMapping, MadeRows.Object) -> Bool

  /// An object of the source that became one of the target by an entity mapping.
  private struct Became {
    var mapping: XcodeMappingFile.EntityMapping
    var old: MadeRows.Object
    var new: ObjectKey
  }

  /// A link, with its place in the order of the source.
  private struct Link {
    var from: ObjectKey
    var name: String
    var to: ObjectKey
    var position = -1
  }

  func result() -> MadeRows {
    var became: [Became] = []
    var objects: [MadeRows.Object] = []
    var last: [String: Int64] = [:]
    for mapping in mappings {
      guard let source = mapping.source, let destination = mapping.destination else { continue }
      let root = target.root(of: destination)?.name ?? ""
      for old in rows.objects.filter({ $0.entity == source && passes(mapping, $0) }).sorted(by: { $0.key < $1.key }) {
        last[root, default: 0] += 1
        let new = ObjectKey(entity: destination, key: last[root] ?? 0)
        became.append(Became(mapping: mapping, old: old, new: new))
        objects.append(.init(entity: destination, key: new.key, values: values(of: mapping, old)))
      }
    }
    var links: [Link] = []
    for one in became {
      for relationship in one.mapping.relationships {
        for (end, position) in ends(relationship.links?.path ?? "$source.\(relationship.name)", of: one.old) {
          for other in became where other.old.key == end.key && other.old.entity == end.entity {
            guard let described = target.property(relationship.name, of: one.new.entity)?.relationship,
              target.entity(other.new.entity, isKindOf: described.destination),
              relationship.links.map({ $0.mapping == name(other.mapping) }) ?? true
            else { continue }
            add(
              Link(
                from: one.new, name: relationship.name, to: other.new,
                position: described.isOrdered ? position : -1), to: &links)
          }
        }
      }
    }
    let ordered = links.sorted { one, other in
      (one.position, one.from.key, one.to.key) < (other.position, other.from.key, other.to.key)
    }
    return MadeRows(target, objects: objects, links: ordered.map { .init(from: $0.from, name: $0.name, to: $0.to) })
  }

  private func name(_ mapping: XcodeMappingFile.EntityMapping) -> String {
    "\(mapping.source ?? "")To\(mapping.destination ?? "")"
  }

  // MARK: Values

  private func values(of mapping: XcodeMappingFile.EntityMapping, _ old: MadeRows.Object) -> [String: StoredValue] {
    var values: [String: StoredValue] = [:]
    for (name, inherited) in target.properties(of: mapping.destination ?? "") {
      guard let attribute = inherited.property.attribute else { continue }
      let stated = mapping.attributes.first { $0.name == name }
      let hasSame = rows.model.property(name, of: old.entity)?.attribute != nil
      switch stated?.expression {
      case .constant(let constant)?: values[name] = Self.stored(constant)
      case .path(of: _, let path)?: values[name] = value(path, of: old)
      default: values[name] = stated != nil && hasSame ? value(name, of: old) : Self.stored(attribute.defaultValue)
      }
    }
    return values
  }

  private func value(_ path: String, of object: MadeRows.Object) -> StoredValue {
    let names = path.split(separator: ".").map(String.init)
    guard names.count > 1 else { return object.values[path] ?? .null }
    guard let end = ends("$source.\(names[0])", of: object).first?.object else { return .null }
    return value(names.dropFirst().joined(separator: "."), of: end)
  }

  private static func stored(_ constant: Expression.Constant) -> StoredValue {
    switch constant {
    case .string(let text): .text(text)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    default: .null
    }
  }

  private static func stored(_ value: DefaultValue?) -> StoredValue {
    switch value {
    case .string(let text)?: .text(text)
    case .integer(let number)?: .integer(number)
    case .real(let number)?: .real(number)
    case .boolean(let flag)?: .integer(flag ? 1 : 0)
    default: .null
    }
  }

  // MARK: Links

  private typealias End = (object: MadeRows.Object, position: Int)

  /// The objects that relationships lead to, one after the other.
  private func ends(_ path: String, of object: MadeRows.Object) -> [End] {
    let names = path.split(separator: ".").dropFirst().map(String.init).filter { !$0.hasPrefix("@") }
    var ends: [End] = [(object, -1)]
    for name in names {
      ends = ends.flatMap { step(name, of: $0.object) }
      if names.count > 1 { ends = ends.map { ($0.object, -1) } }
    }
    return ends
  }

  private func step(_ name: String, of object: MadeRows.Object) -> [End] {
    func find(_ key: ObjectKey) -> MadeRows.Object? {
      rows.objects.first {
        $0.key == key.key && rows.model.root(of: $0.entity)?.name == rows.model.root(of: key.entity)?.name
      }
    }
    func isIt(_ key: ObjectKey) -> Bool {
      find(key).map { $0.key == object.key && $0.entity == object.entity } ?? false
    }
    guard let relationship = rows.model.property(name, of: object.entity)?.relationship else { return [] }
    return rows.links.enumerated().compactMap { place, link in
      let other = rows.model.property(link.name, of: link.from.entity)?.relationship
      let position = relationship.isOrdered ? place : -1
      if link.name == name, isIt(link.from) { return find(link.to).map { ($0, position) } }
      guard relationship.inverse == link.name, other?.inverse == name, isIt(link.to) else { return nil }
      return find(link.from).map { ($0, position) }
    }
  }

  /// Adds a link, unless it is there from its other side.
  private func add(_ link: Link, to links: inout [Link]) {
    let inverse = target.property(link.name, of: link.from.entity)?.relationship?.inverse
    let same = links.firstIndex { other in
      other.from == link.from && other.name == link.name && other.to == link.to
        || other.from == link.to && other.name == inverse && other.to == link.from
    }
    if let same {
      links[same].position = max(links[same].position, link.position)
    } else {
      links.append(link)
    }
  }
}

extension MadeRows {
  /// Whether an object lacks a value that is required.
  var lacksRequired: Bool {
    objects.contains { object in
      model.properties(of: object.entity).contains { name, inherited in
        !inherited.property.isOptional && inherited.property.relationship?.isToMany != true && isNull(name, of: object)
      }
    }
  }

  /// Whether an object lacks a required attribute that an entity mapping without condition gives it from the source object
  /// itself, or not at all.
  func lacksPlainValue(by mappings: [XcodeMappingFile.EntityMapping], of rows: MadeRows) -> Bool {
    mappings.contains { mapping in
      guard let from = mapping.source, let to = mapping.destination, mapping.filter == nil else { return false }
      return rows.objects.contains { old in
        old.entity == from
          && model.properties(of: to).contains { name, inherited in
            guard let attribute = inherited.property.attribute, !inherited.property.isOptional else { return false }
            let stated = mapping.attributes.first { $0.name == name }
            let hasSame = rows.model.property(name, of: from)?.attribute != nil
            switch stated?.expression {
            case .path(of: .variable("source"), let path)? where !path.contains("."): return isNothing(old.values[path])
            case nil where stated != nil && hasSame: return isNothing(old.values[name])
            case nil: return attribute.defaultValue == nil
            default: return false
            }
          }
      }
    }
  }

  private func isNothing(_ value: StoredValue?) -> Bool { (value ?? .null) == .null }

  /// Why Core Data's save would not take the objects; nil where it does.
  var fault: String? {
    var single: Set<String> = []
    for link in links {
      let own = model.property(link.name, of: link.from.entity)?.relationship
      if own?.isToMany == false, !single.insert("\(link.from) \(link.name)").inserted { return "several \(link.name)" }
      let inverse = own?.inverse.flatMap { model.property($0, of: link.to.entity)?.relationship }
      let isSingle = inverse.map { !$0.isToMany } ?? (own?.isToMany == true)
      let place = "\(link.to) \(own?.inverse ?? "owner by \(link.name)")"
      if isSingle, link.from != link.to || own?.inverse != link.name, !single.insert(place).inserted {
        return "several to \(link.name)"
      }
    }
    for entity in model.entities {
      let family = objects.filter { model.entity($0.entity, isKindOf: entity.name) }
      if entity.uniquenessConstraints.contains(where: { areDuplicate(family, by: $0) }) { return "duplicates" }
    }
    return nil
  }
}
