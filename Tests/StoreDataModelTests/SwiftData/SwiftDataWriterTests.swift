import StoreDataModel
import StoreCoreData
import Foundation
import StoreGenerator
import TestSupport
import Testing

@Suite struct SwiftDataWriterTests {
  @Test func writesClassesAsADeveloperWould() throws {
    let written = SwiftDataWriter(try SampleModels.notes(), schemaName: "Notes 2")
    #expect(
      written.text.hasPrefix(
        #"""
        import Foundation
        import SwiftData

        enum Notes2: VersionedSchema {
          static let versionIdentifier = Schema.Version(2, 0, 0)
          static var models: [any PersistentModel.Type] {
            [Attachment.self, Checklist.self, Folder.self, Note.self, Tag.self]
          }

          @Model
          final class Attachment {
            @Attribute(.externalStorage)
            var data: Data?
            var fileName: String
            @Relationship(inverse: \Note.attachments)
            var note: Note?

            init(fileName: String) {
              self.fileName = fileName
            }
          }

          @available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *)
          @Model
          final class Checklist: Note {
        """#))
    // `#Unique` is there from iOS 18 on, and for one attribute nobody needs it.
    #expect(written.text.contains("@Attribute(.unique)\n    var name: String") && !written.text.contains("#Unique"))
    #expect(written.text.contains("super.init(createdAt: createdAt, isPinned: isPinned, title: title)"))
    #expect(
      written.lost.map(\.description) == [
        "Note: the index 'byCreationDate'", "Note.attachments: the order of its objects",
      ])
  }

  /// Lists of values are transformable attributes whose class the cache of a store tells; a class of that name hides the
  /// type.
  @Test func listsOfValuesKeepTheirType() throws {
    func list(_ name: String, _ element: String, transformer: String? = nil) -> Property {
      Property(
        name: name, isOptional: true,
        kind: .attribute(
          Attribute(
            type: .transformable, valueClassName: "Array<\(element)>", valueTransformerName: transformer)))
    }
    let model = try Model(
      entities: [
        Entity(
          name: "Box",
          properties: [
            list("keys", "UUID"), list("parts", "Data", transformer: "NSSecureUnarchiveFromData"),
            list("others", "Thing"), list("own", "Data", transformer: "Mine"),
          ]), Entity(name: "Data"),
      ])
    let text = SwiftDataWriter(model, schemaName: "V1").text
    #expect(text.contains("var keys: [UUID]?\n") && text.contains("var parts: [Foundation.Data]?\n"), "\(text)")
    #expect(text.contains("@Attribute(.transformable(by: \"Mine\"))\n    var own: NSObject?"))
    #expect(text.contains("var others: NSObject?"))
  }

  @Test func namesTheLosses() throws {
    let model = try Model(
      entities: [
        Entity(
          name: "A b", properties: [Property(name: "x", isOptional: true, kind: .attribute(Attribute(type: .string)))]),
        Entity(
          name: "Base", isAbstract: true,
          properties: [
            Property(
              name: "size",
              kind: .attribute(Attribute(type: .integer32, derivation: Derivation(expression: .keyPath("x"))))),
            Property(
              name: "class", isOptional: true,
              kind: .attribute(Attribute(type: .string, defaultValue: .string("\"\\(exit(0))\n")))),
          ], versionHashModifier: "m", renamingIdentifier: "Old"),
      ], configurations: ["Cloud": ["Base"]], versionIdentifiers: ["beta"])
    let written = SwiftDataWriter(model, schemaName: "1.0")
    #expect(
      written.lost.map(\.description) == [
        "the configuration 'Cloud'", "the version identifier 'beta'", "A b: the entity: its name is no name in Swift",
        "Base: being abstract", "Base: the former name 'Old'", "Base: the version hash modifier 'm'",
        "Base.size: the derived attribute",
      ])
    #expect(written.text.contains("enum Schema10: VersionedSchema"))
    // Names and values of a model never become code.
    #expect(written.text.contains(#"var `class`: String? = "\"\\(exit(0))\u{a}""#))
  }

  /// The written source type-checks against stand-ins for SwiftData's declarations.
  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc")) func typeChecks() throws {
    var sources: [String] = []
    for store in ["Notes", "Shapes"] {
      let model = try #require(try Store(path: Project.path("corpus/\(store).sqlite")).model)
      sources.append(SwiftDataWriter(model, schemaName: store).text)
    }
    for seed in UInt64(0)..<12 {
      sources.append(SwiftDataWriter(try RandomModel.make(seed: seed), schemaName: "Random\(seed)").text)
    }
    sources.append(SwiftDataWriter(try Self.shadowing(), schemaName: "Shadowing").text)
    let complaints = try SwiftDataStandIns.complaints(about: sources)
    #expect(complaints == "")
  }

  /// The stand-ins are strict enough: the compiler finds mistakes.
  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc")) func mistakesAreNoticed() throws {
    let written = SwiftDataWriter(try SampleModels.notes(), schemaName: "Notes").text
    for (original, changed) in [
      ("var fileName", "var fileNames"), (".cascade", ".cascades"), ("\\Note.attachments", "\\Note.nothing"),
      ("@Attribute(.unique)\n    var name", "#Unique<Folder>([\\.nam])\n    var name"), ("(.unique)", "(.uniqe)"),
      ("Schema.Version(2, 0, 0)", "2"), (".externalStorage", ".external"),
      ("final class Checklist: Note", "class Note: Note"), ("super.init(createdAt: createdAt, ", "super.init("),
    ] {
      #expect(written.contains(original))
      let complaints = try SwiftDataStandIns.complaints(about: [written.replacing(original, with: changed)])
      #expect(complaints != "", "\(changed)")
    }
  }

  /// Entities with the names of types that their own properties have.
  private static func shadowing() throws -> Model {
    let properties: [Property] = [.attribute("at", .date), .attribute("in", .string), .attribute("d", .binary)]
    var entities = ["Date", "String", "Data", "URL", "Schema2"].map { Entity(name: $0, properties: properties) }
    entities.append(
      Entity(
        name: "Place",
        properties: [
          .composite("uUID", [.attribute("x", .uuid)]), .composite("bool", [.attribute("x", .boolean)]),
          .composite("date", [.attribute("x", .date)]), .attribute("isOn", .boolean), .attribute("id", .uuid),
        ]))
    return try Model(entities: entities)
  }

  @Test func aCompositeHidesNoType() throws {
    let text = SwiftDataWriter(try Self.shadowing(), schemaName: "S").text
    for line in [
      "struct BoolValue: Codable {", "var bool: BoolValue?", "var isOn: Bool?", "struct UUIDValue: Codable {",
    ] {
      #expect(text.contains(line))
    }
  }

  @Test func leavesOutANameSwiftDataRefuses() throws {
    let model = try Model(
      entities: [
        Entity(name: "E", properties: [.attribute("description", .string), .attribute("isDeleted", .boolean)])
      ])
    let written = SwiftDataWriter(model, schemaName: "S")
    #expect(written.lost.map(\.description) == ["E.description: the property: SwiftData refuses its name"])
    #expect(written.text.contains("var isDeleted: Bool?"))
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), .needsSharedData) func realModelsTypeCheck() throws
  {
    let slugs = [
      "osxphotos--photos-182916", "wire-ios-data-model--store2-101-0-742f95", "ileapp--notestore-josh-ios17-ffs-112c05",
    ]
    let sources = try Catalogue.real.filter { slugs.contains($0.slug) }.enumerated().map { number, entry in
      SwiftDataWriter(try #require(try Store(path: entry.path).model), schemaName: "Real\(number)").text
    }
    #expect(sources.count == 3)
    let complaints = try SwiftDataStandIns.complaints(about: sources)
    #expect(complaints == "")
  }
}
