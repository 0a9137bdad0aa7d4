import StoreJSON

/// One or more versions of a model in storedoctor's own JSON, `storedoctor.model/1`; its schema is
/// `docs/schemas/model.json`.
///
/// The document keeps everything of a ``Model``, including what is not compared (user info, fetch requests, source
/// fields). Default values are omitted to keep the document small:
///
/// ```json
/// {
///   "schema": "storedoctor.model/1",
///   "versions": [
///     {"model": {"entities": [{"attributes": [{"name": "title", "type": "String"}], "name": "Note"}]}, "name": "1"}
///   ]
/// }
/// ```
package struct ModelDocument: Sendable, Equatable {
  /// The name and version of the format.
  package static let schema = "storedoctor.model/1"

  /// The versions, in the document's order; never empty, no name twice.
  package let versions: [Version]
  /// The name of the version the app uses, if known. It need not be among the versions.
  package let currentVersion: String?

  /// A model with its name.
  package struct Version: Sendable, Equatable {
    /// The name, like that of a version in a bundle: "Notes 2".
    package var name: String
    /// The model.
    package var model: Model

    /// Creates a version.
    package init(name: String, model: Model) {
      self.name = name
      self.model = model
    }
  }

  /// A document of these versions.
  ///
  /// - Throws: ``JSON/JSONError`` with the place if there is no version, there are too many, or two have the same name.
  package init(versions: [Version], currentVersion: String? = nil) throws(JSONError) {
    guard !versions.isEmpty else { throw JSONError(place: "versions", message: "no version of a model") }
    guard versions.count <= ModelSourceReader.maximumVersions else {
      throw JSONError(place: "versions", message: "more than \(ModelSourceReader.maximumVersions) versions")
    }
    var names: Set<String> = []
    for (position, version) in versions.enumerated() where !names.insert(version.name).inserted {
      throw JSONError(place: "versions[\(position)].name", message: "version '\(version.name)' occurs twice")
    }
    self.versions = versions
    self.currentVersion = currentVersion
  }

  /// Reads a document in UTF-8.
  ///
  /// - Throws: ``JSON/JSONError`` with the line of invalid JSON, or the path of a value that does not follow the
  ///   schema, an unknown member, or a wrong `versionHash`.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    let place = JSONPlace(try JSONValue(bytes))
    let members = try place.members(["schema", "tool", "currentVersion", "versions"])
    let schema = try members.required("schema")
    guard try schema.string() == Self.schema else {
      throw schema.error("'\(Self.schema)' is expected; the document is of another kind or of a newer storedoctor")
    }
    // The tool does not matter for the models; it is only checked to be text.
    if let tool = members["tool"] { _ = try tool.members(["version"]).string("version") }
    var versions: [Version] = []
    for place in try members.required("versions").elements() { versions.append(try Version(place)) }
    try self.init(versions: versions, currentVersion: members.string("currentVersion"))
  }

  /// The document as JSON.
  ///
  /// - Parameter toolVersion: the version of the writing tool, as it is to appear in the document.
  package func json(toolVersion: String? = nil) -> JSONValue {
    .object([
      ("schema", .string(Self.schema)), ("tool", toolVersion.map { .object(["version": .string($0)]) }),
      ("currentVersion", .optional(currentVersion)),
      (
        "versions",
        .array(versions.map { .object(["name": .string($0.name), "model": $0.model.json]) })
      ),
    ])
  }
}

extension ModelDocument.Version {
  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "model"])
    self.init(name: try members.required("name").string(), model: try Model(members.required("model")))
  }
}
