import StoreDataModel
import StoreScanning
import StoreWriting

/// A column that values are made for: an attribute, or an element of a composite one.
struct SampleLeaf {
  /// "size", or "size.width" for an element.
  var path: String
  /// The attribute, or the element.
  var attribute: Attribute
  /// Whether an object cannot be saved without a value.
  var isRequired: Bool
  /// Whether a uniqueness constraint of the entity names it.
  var isUnique: Bool
  /// The model's rules for values.
  var rules: AttributeRules
  /// The default value as it is stored; nil for none.
  var defaultValue: StoredValue?

  /// Whether the value is computed by Core Data.
  var isDerived: Bool { attribute.derivation != nil }

  /// The name of the attribute or element alone.
  var name: String { path.split(separator: ".").last.map(String.init) ?? path }

  /// Whether a value is one that the type and the model's rules allow.
  func accepts(_ value: StoredValue) -> Bool {
    guard attribute.type.holds(value) else { return false }
    switch value {
    case .null: return !isRequired
    case .integer(let number): return rules.accept(.integer(number))
    case .real(let number), .date(let number): return rules.accept(.real(number))
    case .text(let text): return rules.accept(.text(text))
    case .blob: return true
    }
  }
}

extension SampleLeaf {
  /// The stored attributes of an entity, inherited ones included, by name.
  static func leaves(of entity: Entity, in model: Model, unique: Set<String>) -> [SampleLeaf] {
    model.properties(of: entity.name).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .flatMap { name, inherited -> [SampleLeaf] in
        let property = inherited.property
        guard let attribute = property.attribute, !property.isTransient else { return [] }
        return parts(of: property, attribute, path: name, isRequired: !property.isOptional, depth: 0).map { leaf in
          var leaf = leaf
          leaf.isUnique = unique.contains(name)
          return leaf
        }
      }
  }

  /// - Parameter isRequired: whether the attribute as a whole is; an element is if both are.
  private static func parts(
    of property: Property, _ attribute: Attribute, path: String, isRequired: Bool, depth: Int
  ) -> [SampleLeaf] {
    guard let elements = attribute.elements else {
      guard attribute.type.declaredColumnType != nil else { return [] }
      return [
        SampleLeaf(
          path: path, attribute: attribute, isRequired: isRequired && !property.isOptional, isUnique: false,
          rules: AttributeRules(attribute), defaultValue: attribute.storedDefault)
      ]
    }
    guard depth < 32 else { return [] }
    return elements.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.flatMap { element in
      element.attribute.map {
        parts(
          of: element, $0, path: "\(path).\(element.name)", isRequired: isRequired, depth: depth + 1)
      } ?? []
    }
  }
}

extension AttributeType {
  /// Whether a value can be one of this type as Core Data stores it.
  func holds(_ value: StoredValue) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer), (.decimal, .integer): true
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.double, .real(let number)), (.decimal, .real(let number)): number.isFinite
    case (.float, .real(let number)): abs(number) <= Double(Float.greatestFiniteMagnitude)
    case (.date, .date(let number)): number.isFinite
    case (.string, .text), (.uri, .text): true
    case (.uuid, .blob(let bytes)): bytes.count == 16
    case (.binary, .blob), (.transformable, .blob): true
    default: false
    }
  }
}

extension Attribute {
  /// Bytes as the column holds them: where large values may be in files of their own, one that is not is marked by 1.
  func stored(_ bytes: [UInt8]) -> StoredValue { .blob(allowsExternalStorage ? [1] + bytes : bytes) }

  /// The default value as it is stored; nil where there is none, or none that is known.
  var storedDefault: StoredValue? {
    switch (defaultValue, type) {
    case (.boolean(let value), _): .integer(value ? 1 : 0)
    case (.integer(let value), .double), (.integer(let value), .float): .real(Double(value))
    case (.integer(let value), .date): .date(Double(value))
    case (.integer(let value), _): .integer(value)
    case (.real(let value), .date), (.date(let value), _): .date(value)
    case (.real(let value), _): .real(value)
    case (.string(let text), _), (.uri(let text), _): .text(text)
    case (.data(let bytes), _): stored(bytes)
    case (.decimal(let digits), _): Int64(digits).map(StoredValue.integer) ?? Double(digits).map(StoredValue.real)
    case (.uuid(let bytes), _): .blob(bytes)
    case (.object, _), (.unreadable, _), (nil, _): nil
    }
  }
}
