import StoreText

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
    return MappingModel(
      path: path,
      entityMappings: listed.map {
        entityMapping($0, source: source.model.versionHashes, destination: destination.model.versionHashes)
      },
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

  private static func entityMapping(
    _ object: MappingDocument.Object, source: VersionHashes, destination: VersionHashes
  ) -> MappingModel.EntityMapping {
    func side(_ key: String, hashes: VersionHashes) -> MappingModel.Side? {
      object.text(key).map { MappingModel.Side(entity: $0, hash: hashes.byEntity[$0]) }
    }
    let (from, to) = (side("sourcename", hashes: source), side("destinationname", hashes: destination))
    // Named as Core Data does.
    let name = [from?.entity, to?.entity].compactMap(\.self).joined(separator: "To")
    return MappingModel.EntityMapping(
      name: name, source: from, destination: to, policyClassName: object.text("migrationpolicyclassname"))
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
    var attributes: [String: String] = [:]

    /// The value of an attribute; nil if it is missing or empty.
    func text(_ name: String) -> String? { attributes[name].flatMap { $0.isEmpty ? nil : $0 } }
  }

  func start(_ name: String, attributes: [XMLAttribute], at position: XMLPosition) {
    depth += 1
    func value(_ name: String) -> String { attributes.first { $0.name == name }?.value ?? "" }
    switch (depth, name) {
    case (1, _): root = name
    case (2, "object"): objects.append(Object(type: value("type")))
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
