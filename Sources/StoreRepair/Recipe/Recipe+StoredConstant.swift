import StoreDataModel
import StoreSQLite
import StoreText

extension Recipe.Constant {
  /// The constant as a column of this type stores it.
  ///
  /// - Throws: `UnstorableValue`, which says what is expected and quotes the recipe's text.
  package func storedValue(for type: AttributeType) throws(UnstorableValue) -> SQLiteValue {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = DecimalText(text)?.integer else { throw mistaken("a whole number", type: type) }
      do throws(UnstorableValue) {
        return try type.storedValue(.integer(number))
      } catch {
        throw UnstorableValue("\(shown) does not fit \(type.name)\(type.rangeWords)")
      }
    case .boolean:
      switch text {
      case "true", "1": return .integer(1)
      case "false", "0": return .integer(0)
      case _: throw mistaken("true, false, 1 or 0", type: type)
      }
    case .double, .float, .decimal:
      guard let decimal = DecimalText(text), let number = decimal.double else { throw mistaken("a number", type: type) }
      do throws(UnstorableValue) {
        return try type.storedValue(decimal.integer.map(SQLiteValue.integer) ?? .real(number))
      } catch {
        throw UnstorableValue("\(shown) does not fit \(type.name)")
      }
    case .date:
      guard let seconds = DateReading.seconds(text) else {
        throw mistaken("a date as 2024-05-01 or 2024-05-01T12:00:00Z", type: type)
      }
      return try type.storedValue(.real(seconds))
    case .uuid:
      guard let bytes = UUIDText.bytes(text) else {
        throw mistaken("a UUID as E621E1F8-C36C-495A-93FC-0C247A3E6E5F", type: type)
      }
      return .blob(bytes)
    case .string, .uri: return try type.storedValue(.text(text))
    case .binary:
      guard let bytes = Base64.decode(text) else { throw mistaken("base64", type: type) }
      return .blob(bytes)
    case .composite: throw UnstorableValue("a composite attribute has no value of its own; name one of its leaves")
    case _: throw UnstorableValue("values of \(type.name) cannot be written in a recipe")
    }
  }

  private func mistaken(_ expected: String, type: AttributeType) -> UnstorableValue {
    UnstorableValue("\(expected) is expected for \(type.name) in place of \(shown)")
  }

  /// The text, cut to 60 characters for a message.
  private var shown: String { text.count <= 60 ? "'\(text)'" : "'\(text.prefix(60))…'" }
}
