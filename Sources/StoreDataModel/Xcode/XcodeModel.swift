/// A model read from the `contents` file of an `.xcdatamodel`, with the parts the reader did not know.
///
/// ```xml
/// <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="2">
///   <entity name="Post" representedClassName="Post" syncable="YES">
///     <attribute name="postID" optional="YES" attributeType="String"/>
///   </entity>
/// </model>
/// ```
///
/// The meaning and default of each element and attribute were found by comparing such files with the hashes of models
/// built by Xcode. The document is untrusted: it cannot declare or load entities, nest deeply or grow without bound.
package struct XcodeModel: Sendable {
  /// The model.
  package let model: Model
  /// The parts the reader did not know or could not use, in the order of the file. None of them is known to affect a
  /// version hash; a hash may still be wrong if a newer Xcode writes something new.
  package let unknown: [Unknown]
  /// The most unknown parts that are listed; a hostile file may have more.
  package static let maximumUnknown = 10_000
  /// Attributes of the `model` element that only Xcode uses, such as `lastSavedToolsVersion`.
  package let sourceFields: [String: String]

  /// Reads the bytes of a `contents` file.
  ///
  /// - Throws: ``XcodeModelError`` with line, column and place of the first error.
  package init(_ bytes: [UInt8]) throws(XcodeModelError) {
    let root: XMLElement
    do {
      root = try XMLElement.root(of: bytes)
    } catch {
      throw XcodeModelError(place: "", position: error.position, message: error.message)
    }
    var reader = XcodeModelReader(root)
    model = try reader.model()
    unknown = reader.unknown
    sourceFields = root.fields(without: ["userDefinedModelVersionIdentifier"])
  }

  /// A part of the file that a ``Model`` cannot hold.
  package struct Unknown: Sendable, Hashable, CustomStringConvertible {
    /// The place in the model: "Note.title", "Note", or empty for the model itself.
    package var place: String
    /// The unknown part.
    package var item: Item
    /// The position in the file.
    package var position: XMLPosition

    /// The kinds of unknown parts.
    package enum Item: Sendable, Hashable {
      /// An unknown element; it is ignored with all its children.
      case element(String)
      /// An unknown attribute; its value is kept in `sourceFields`.
      case attribute(String)
      /// An unusable value of a known attribute; it is kept in `sourceFields`, a default as
      /// ``DefaultValue/unreadable(_:)``.
      case value(attribute: String, String)
    }

    /// Whether it is an unreadable default.
    package var isDefault: Bool {
      if case .value(let attribute, _) = item { attribute.hasPrefix("default") } else { false }
    }

    /// The place and what is unknown there.
    package var description: String {
      let named = place.isEmpty ? "the model" : "'\(place)'"
      return switch item {
      case .element(let name): "\(named) has an unknown element '\(name)' (\(position))"
      case .attribute(let name): "\(named) has an unknown attribute '\(name)' (\(position))"
      case .value(_, let value) where isDefault:
        "\(named) has a default that cannot be read, '\(value)' (\(position))"
      case .value(let name, let value): "\(named) has an unknown value '\(value)' of '\(name)' (\(position))"
      }
    }
  }
}

/// Why a `contents` file could not be read as a model, and where.
package struct XcodeModelError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The place in the model: "Note.title", "Note", or empty.
  package var place: String
  /// The position in the file, if it is a single one.
  package var position: XMLPosition?
  /// The problem; lower case, no full stop.
  package var message: String

  /// Place and message in one line.
  package var description: String {
    [position.map { "\($0)" }, place.isEmpty ? nil : place, message].compactMap(\.self).joined(separator: ": ")
  }
}

extension XMLElement {
  /// All attributes except those with the given names.
  func fields(without names: Set<String>) -> [String: String] {
    var result: [String: String] = [:]
    for attribute in attributes where !names.contains(attribute.name) { result[attribute.name] = attribute.value }
    return result
  }
}
