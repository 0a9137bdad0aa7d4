import StoreDataModel
import Foundation
import StoreGenerator
import TestSupport

/// Xcode's model files, written out by hand.
enum XcodeFiles {
  /// A `contents` file.
  static func contents(_ entities: String, identifier: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="\(identifier)">
    \(entities)
    </model>
    """
  }

  /// Three versions of a small model: 1 has notes, 2 makes the title required, 3 adds tags.
  static let versions = [
    contents(
      """
      <entity name="Note">
        <attribute name="title" optional="YES" attributeType="String"/>
      </entity>
      """, identifier: "1"),
    contents(
      """
      <entity name="Note">
        <attribute name="title" attributeType="String"/>
      </entity>
      """, identifier: "2"),
    contents(
      """
      <entity name="Note">
        <attribute name="title" attributeType="String"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag"
          inverseName="notes" inverseEntity="Tag"/>
      </entity>
      <entity name="Tag">
        <attribute name="name" attributeType="String"/>
        <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Note"
          inverseName="tags" inverseEntity="Note"/>
      </entity>
      """, identifier: "2"),
  ]

  /// A bundle with versions "Notes", "Notes 2", ...; the last is current.
  @discardableResult
  static func bundle(_ versions: [String] = versions, in folder: TemporaryFolder) throws -> String {
    let bundle = folder("Notes.xcdatamodeld")
    let names = versions.indices.map { $0 == 0 ? "Notes" : "Notes \($0 + 1)" }
    for (name, contents) in zip(names, versions) {
      try write(contents, to: "\(bundle)/\(name).xcdatamodel/contents")
    }
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>\(names[names.count - 1]).xcdatamodel</string>
      </dict></plist>
      """, to: "\(bundle)/.xccurrentversion")
    return bundle
  }

  static func write(_ text: String, to path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  /// An empty store made with a model.
  static func store(_ contents: String, as name: String = "App.sqlite", in folder: TemporaryFolder) throws -> String {
    let model = try ModelSource.read(Array(contents.utf8), path: "contents").versions[0].model
    return try store(model, as: name, in: folder)
  }

  /// An empty store made with a model.
  static func store(_ model: Model, as name: String = "App.sqlite", in folder: TemporaryFolder) throws -> String {
    try StoreWriter(creating: folder(name), StoreDescription(model: model, usesWAL: false)).finish()
    return folder(name)
  }
}
