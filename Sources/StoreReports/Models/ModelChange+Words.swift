import StoreDigests
import StoreDataModel
import StoreWords

/// A change in the words of a report: its name for scripts, what was and what is, and a phrase for people.
package struct ChangeWords: Equatable {
  /// The kind in JSON: "attributeAdded".
  package var kind: String
  /// The value before, where it is a value.
  package var from: String?
  /// The value after, where it is a value.
  package var to: String?
  /// The subject of the change within its place: an index, a constraint, elements.
  package var names: [String]?
  /// The phrase shown to people, not yet escaped.
  package var phrase: String

  init(_ kind: String, _ phrase: String, from: String? = nil, to: String? = nil, names: [String]? = nil) {
    (self.kind, self.phrase, self.from, self.to, self.names) = (kind, phrase, from, to, names)
  }

  fileprivate static func value(_ kind: String, title: String, from: String?, to: String?) -> Self {
    Self(kind, "\(title) \(from ?? "none") -> \(to ?? "none")", from: from, to: to)
  }

  fileprivate static func flag(_ kind: String, isSet: Bool, set: String, cleared: String) -> Self {
    Self(kind, isSet ? set : cleared, from: isSet ? "false" : "true", to: isSet ? "true" : "false")
  }
}

extension ModelChange {
  /// The change in the words of a report.
  package var words: ChangeWords {
    entityWords ?? propertyWords ?? detailWords ?? ChangeWords("other", "changed")
  }

  // MARK: The model and its entities

  private var entityWords: ChangeWords? {
    switch kind {
    case .versionIdentifiers(let old, let new):
      .value("versionIdentifiers", title: "version identifiers", from: list(old), to: list(new))
    case .configurationAdded(let name):
      named(kind: "configurationAdded", phrase: "configuration \(name) added", name: name)
    case .configurationRemoved(let name):
      named(kind: "configurationRemoved", phrase: "configuration \(name) removed", name: name)
    case .configurationMembers(let name, let added, let removed):
      named(
        kind: "configurationMembers",
        phrase: "configuration \(name)" + added.map { " +\($0)" }.joined() + removed.map { " -\($0)" }.joined(),
        name: name)
    case .fetchRequestAdded(let name):
      named(kind: "fetchRequestAdded", phrase: "fetch request \(name) added", name: name)
    case .fetchRequestRemoved(let name):
      named(kind: "fetchRequestRemoved", phrase: "fetch request \(name) removed", name: name)
    case .fetchRequestChanged(let name):
      named(kind: "fetchRequestChanged", phrase: "fetch request \(name) changed", name: name)
    case .entityAdded: ChangeWords("entityAdded", "entity added")
    case .entityRemoved: ChangeWords("entityRemoved", "entity removed")
    case .entityRenamed:
      ChangeWords(
        "entityRenamed", "renamed from \(place.sourceEntity ?? "")", from: place.sourceEntity,
        to: place.destinationEntity)
    case .parent(let old, let new): .value("parent", title: "parent", from: old, to: new)
    case .abstract(let isAbstract):
      .flag("abstract", isSet: isAbstract, set: "abstract now", cleared: "no longer abstract")
    case .entityModifier(let old, let new), .propertyModifier(let old, let new):
      .value("hashModifier", title: "hash modifier", from: old, to: new)
    case .constraintAdded(let names):
      ChangeWords("constraintAdded", "unique now: \(names.joined(separator: " + "))", names: names)
    case .constraintRemoved(let names):
      ChangeWords("constraintRemoved", "no longer unique: \(names.joined(separator: " + "))", names: names)
    case .constraintChanged(let old, let new):
      .value("constraintChanged", title: "unique", from: old.joined(separator: " + "), to: new.joined(separator: " + "))
    case .className(let old, let new): .value("className", title: "class", from: old, to: new)
    case .indexAdded(let name): named(kind: "indexAdded", phrase: "index \(name) added", name: name)
    case .indexRemoved(let name): named(kind: "indexRemoved", phrase: "index \(name) removed", name: name)
    case .indexChanged(let name): named(kind: "indexChanged", phrase: "index \(name) changed", name: name)
    case .compoundIndexes: ChangeWords("compoundIndexes", "compound indexes changed")
    default: nil
    }
  }

  // MARK: Properties

  private var propertyWords: ChangeWords? {
    switch kind {
    case .added(let kind): ChangeWords("\(kind.rawValue)Added", "\(kind.title) added")
    case .removed(let kind): ChangeWords("\(kind.rawValue)Removed", "\(kind.title) removed")
    case .renamed(let kind):
      ChangeWords(
        "\(kind.rawValue)Renamed", "renamed from \(place.sourceProperty ?? "")", from: place.sourceProperty,
        to: place.destinationProperty)
    case .moved(let kind, let movement): moved(kind, movement: movement)
    case .propertyKind(let old, let new): .value("propertyKind", title: "kind", from: old.title, to: new.title)
    case .optional(let isOptional): .flag("optional", isSet: isOptional, set: "optional now", cleared: "required now")
    case .transient(let isTransient):
      .flag("transient", isSet: isTransient, set: "transient now", cleared: "stored now")
    case .readOnly(let isReadOnly):
      .flag("readOnly", isSet: isReadOnly, set: "read-only now", cleared: "no longer read-only")
    case .type(let old, let new): .value("type", title: "type", from: old.name, to: new.name)
    case .externalStorage(let isAllowed):
      .flag(
        "externalStorage", isSet: isAllowed, set: "may be kept in external files",
        cleared: "no longer kept in external files")
    case .preservesValueInHistory(let isKept):
      .flag(
        "preservesValueInHistory", isSet: isKept, set: "kept in history after deletion",
        cleared: "no longer kept in history")
    case .ordered(let isOrdered): .flag("ordered", isSet: isOrdered, set: "ordered now", cleared: "no longer ordered")
    case .indexedMark(let isIndexed):
      .flag("indexed", isSet: isIndexed, set: "indexed now", cleared: "no longer indexed")
    default: nil
    }
  }

  private func moved(_ kind: PropertyKind, movement: Movement) -> ChangeWords {
    let phrase =
      switch movement {
      case .up: "moved up from \(place.sourceEntity ?? "")"
      case .down: "moved down from \(place.sourceEntity ?? "")"
      case .redeclared: "declared again below \(place.sourceEntity ?? "")"
      case .redeclarationRemoved: "no longer declared again in \(place.sourceEntity ?? "")"
      }
    let name = "\(kind.rawValue)Moved\(movement.rawValue.prefix(1).uppercased())\(movement.rawValue.dropFirst())"
    return ChangeWords(name, phrase, from: place.sourceEntity, to: place.destinationEntity)
  }

  // MARK: What only attributes, relationships or fetched properties have

  private var detailWords: ChangeWords? {
    switch kind {
    case .derivation(let old, let new):
      .value(
        "derivation", title: "derived from", from: old.map { "\($0.expression)" }, to: new.map { "\($0.expression)" })
    case .elements(let added, let removed, let changed):
      ChangeWords(
        "elements",
        (["elements"] + added.map { "+\($0)" } + removed.map { "-\($0)" } + changed.map { "~\($0)" })
          .joined(separator: " "), names: added + removed + changed)
    case .defaultValue(let old, let new): .value("defaultValue", title: "default", from: old?.words, to: new?.words)
    case .validation: ChangeWords("validation", "bounds or pattern changed")
    case .valueClass(let old, let new): .value("valueClass", title: "class of the value", from: old, to: new)
    case .valueTransformer(let old, let new): .value("valueTransformer", title: "transformer", from: old, to: new)
    case .locationComponents: ChangeWords("locationComponents", "location components changed")
    case .destination(let old, let new): .value("destination", title: "destination", from: old, to: new)
    case .inverse(let old, let new): .value("inverse", title: "inverse", from: old, to: new)
    case .maximumCount(let old, let new):
      .value("maximumCount", title: "at most", from: old.countWords, to: new.countWords)
    case .minimumCount(let old, let new): .value("minimumCount", title: "at least", from: "\(old)", to: "\(new)")
    case .deleteRule(let old, let new): .value("deleteRule", title: "delete rule", from: "\(old)", to: "\(new)")
    case .fetchedRequest: ChangeWords("fetchedRequest", "its fetch request changed")
    case .renamingIdentifier(let old, let new):
      .value("renamingIdentifier", title: "renaming identifier", from: old, to: new)
    case .userInfo: ChangeWords("userInfo", "user info changed")
    default: nil
    }
  }

  private func named(kind: String, phrase: String, name: String) -> ChangeWords {
    ChangeWords(kind, phrase, names: [name])
  }

  private func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
}

extension ModelChange.PropertyKind {
  var title: String {
    switch self {
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetchedProperty: "fetched property"
    }
  }
}

extension Int32 {
  /// A maximum count: 0 and less is no limit.
  fileprivate var countWords: String {
    if self > 0 {
      String(self)
    } else if self == 0 {
      "many"
    } else {
      "many (\(self))"
    }
  }
}

extension DefaultValue {
  /// The value as a person writes it down; bytes by their number.
  var words: String {
    switch self {
    case .boolean(let value): value ? "YES" : "NO"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .string(let text): "\"\(text)\""
    case .date(let seconds): timestamp(seconds)
    case .data(let bytes): counted(Int64(bytes.count), "byte")
    case .decimal(let digits): digits
    case .uuid(let bytes): hexadecimal(bytes)
    case .uri(let text): text
    case .object(let className): "<\(className)>"
    case .unreadable(let text): "unknown (\"\(text)\" cannot be read)"
    }
  }
}
