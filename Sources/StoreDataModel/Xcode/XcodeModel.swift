/// A model read from the `contents` file of an `.xcdatamodel`, with what the reader did not know.
///
/// ```xml
/// <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="2">
///   <entity name="Post" representedClassName="Post" syncable="YES">
///     <attribute name="postID" optional="YES" attributeType="String"/>
///   </entity>
/// </model>
/// ```
///
/// Meaning and default of each element and attribute were found by comparing such files with hashes that Xcode's models
/// have. The document is hostile until proved otherwise: it cannot declare or load entities, nest deep or grow without
/// bound.
public struct XcodeModel: Sendable {
  /// The model.
  public let model: Model
  /// What the reader did not know or could not use, in the order of the file. None of it enters a version hash that is
  /// known; a hash may still be wrong if Xcode has learnt something new.
  public let unknown: [Unknown]
  /// How many unknown things are listed; a hostile file has more.
  public static let maximumUnknown = 10_000
  /// Attributes of the `model` element that only Xcode reads, such as `lastSavedToolsVersion`.
  public let sourceFields: [String: String]

  /// Reads the bytes of a `contents` file.
  ///
  /// - Throws: ``XcodeModelError`` with line, column and place of the first thing that makes no model.
  public init(_ bytes: [UInt8]) throws(XcodeModelError) {
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

  /// Something in the file that has no place in a ``Model``.
  public struct Unknown: Sendable, Hashable, CustomStringConvertible {
    /// Where: "Note.title", "Note", or empty for the model itself.
    public var place: String
    /// What it is.
    public var item: Item
    /// Where in the file.
    public var position: XMLPosition

    /// What was not known.
    public enum Item: Sendable, Hashable {
      /// An element of this name; it and all below it is left out.
      case element(String)
      /// An attribute of this name; its value is kept in `sourceFields`.
      case attribute(String)
      /// A value of a known attribute that could not be used; it is kept in `sourceFields`.
      case value(attribute: String, String)
    }

    /// The place and what is unknown there.
    public var description: String {
      let named = place.isEmpty ? "the model" : "'\(place)'"
      return switch item {
      case .element(let name): "\(named) has an unknown element '\(name)' (\(position))"
      case .attribute(let name): "\(named) has an unknown attribute '\(name)' (\(position))"
      case .value(let name, let value): "\(named) has an unknown value '\(value)' of '\(name)' (\(position))"
      }
    }
  }
}

/// Why a `contents` file is no model, and where.
public struct XcodeModelError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where in the model: "Note.title", "Note", or empty.
  public var place: String
  /// Where in the file, when it is one place.
  public var position: XMLPosition?
  /// What was found; lower case, no full stop.
  public var message: String

  /// Place and message in one line.
  public var description: String {
    [position.map { "\($0)" }, place.isEmpty ? nil : place, message].compactMap(\.self).joined(separator: ": ")
  }
}

extension XMLElement {
  /// All attributes but those of the given names.
  func fields(without names: Set<String>) -> [String: String] {
    var result: [String: String] = [:]
    for attribute in attributes where !names.contains(attribute.name) { result[attribute.name] = attribute.value }
    return result
  }
}
