import StoreDiagnosis
import StoreMigration
import StoreDataModel
import Foundation
import StoreSwiftCode
import TestSupport
import Testing

/// The proposed stages lead from one version to the other, and compile.
@Suite struct StageSkeletonTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    var old: [String]
    var new: [String]
    var testDescription: String { new.joined(separator: " | ") }
    init(_ old: [String], _ new: [String]) { (self.old, self.new) = (old, new) }

    func advice(_ number: Int = 0) throws -> StageAdvice {
      let inference = MigrationInference(
        ModelDifference(from: try ModelNotation.model(old), to: try ModelNotation.model(new)))
      return StageAdvice(inference, from: "Old \(number)", to: "New \(number)")
    }
  }

  static let pairs = [
    Pair(["Item: price String"], ["Item: price I64"]),
    Pair(["Item: price String?"], ["Item: cost Double? was(price)"]),
    Pair(["Item unique(code): code I64?"], ["Item unique(code): code String?"]),
    Pair(["Item: day String?; id Date?; url String?"], ["Item: day Date?; id UUID; url URI?"]),
    Pair(["Note: title String?"], ["Note: title String"]),
    Pair(["Note: title String"], ["Note: title String; author String; at Date; done Bool"]),
    Pair(
      ["Doc abstract: title String?", "Note<Doc: n I16=0"],
      ["Doc abstract: title String; owner String", "Note<Doc: n I16=0"]),
    Pair(
      ["Folder: notes ->>Note?~folder", "Note: folder ->Folder?~notes"],
      ["Folder: notes ->>Note?~folder", "Note: folder ->Folder~notes"]),
    Pair(
      ["Folder: name String", "Note: title String"],
      ["Folder: name String; notes ->>Note?~folder", "Note: title String; folder ->Folder~notes"]),
    Pair(
      ["Color: hex String?", "Post: color String?"],
      ["Color: hex String?; posts ->>Post?~color", "Post: color ->Color?~posts"]),
    Pair(
      ["Tag: name String?; notes ->>Note?~tags", "Note: tags ->>Tag?~notes"],
      ["Tag unique(name): name String?; notes ->>Note?~tags", "Note: tags ->>Tag?~notes"]),
    Pair(
      ["User: rid String?; team ->Team?~users", "Team: users ->>User?~team"],
      ["User unique(rid,team): rid String?; team ->Team?~users", "Team: users ->>User?~team"]),
    Pair(["Note: t String?"], ["Note unique(key): t String?; key String=\"0\""]),
    Pair(["class: default String?; in I64"], ["class unique(default): default String?; in String"]),
  ]

  @Test(arguments: pairs) func everyStepIsInferableAndNothingIsLeft(_ pair: Pair) throws {
    let advice = try pair.advice()
    #expect(advice.isComplete)
    #expect(try advice.destination.versionHashes == ModelNotation.model(pair.new).versionHashes)
    guard let bridge = advice.bridge else { return }
    // The handler prepares the bridge's rows for everything that the second step requires of them.
    let last = MigrationInference(ModelDifference(from: bridge, to: advice.destination))
    let asked = Set(last.blockingRules.compactMap { $0.condition.places }.flatMap(\.self))
    #expect(asked.isSubset(of: Set(advice.after.flatMap(\.places))), "\(asked)")
  }

  @Test func aTypeChangeGoesByAVersionWithBoth() throws {
    let advice = try Self.pairs[0].advice()
    let bridge = try #require(advice.bridge?.entity(named: "Item"))
    #expect(
      bridge.properties.map { "\($0.name) \($0.attribute?.type.name ?? "") \($0.isOptional)" } == [
        "price String true", "priceNew Integer 64 true",
      ])
    #expect(advice.identifiers.map { "\($0.entity).\($0.property) \($0.identifier ?? "")" } == ["Item.price priceNew"])
    #expect(advice.after == [.convert(entity: "Item", from: "price", to: "priceNew", isRequired: true)])
  }

  @Test func hierarchiesThatMergeAreSaidToBeUntreated() throws {
    let advice = try Pair(["Cat: n String", "Dog: n String"], ["Pet abstract: n String", "Cat<Pet", "Dog<Pet"]).advice()
    #expect(!advice.isComplete)
    #expect(SwiftDataStages.text(advice).contains("// Not treated, needs code of your own: Cat (parent none -> Pet)."))
  }

  @Test(arguments: pairs) func oldTypesStayBeforeAndNewTypesAfter(_ pair: Pair) throws {
    let text = SwiftDataStages.text(try pair.advice())
    let stage = try #require(text.range(of: "willMigrate: "))
    let next = try #require(text.range(of: "didMigrate: "))
    let (before, after) = (text[stage.upperBound..<next.lowerBound], text[next.upperBound...])
    #expect(!before.contains("New0"))
    #expect(!after.prefix { $0 != ")" }.contains("Old0."))
    for handler in [before, after] where handler.contains("context.fetch") {
      #expect(handler.contains("try context.save()"))
    }
  }

  @Test func prefetchesWhatItTouchesAndStatesInverses() throws {
    let text = SwiftDataStages.text(try Self.pairs[10].advice())
    #expect(text.contains("relationshipKeyPathsForPrefetching = [\\.notes]"))
    let bridged = SwiftDataStages.text(
      try Pair(
        ["Tag: n String?; notes ->>Note?~tags", "Note: tags ->>Tag?~notes"],
        ["Tag: n I64?; notes ->>Note?~tags", "Note: tags ->>Tag?~notes"]
      ).advice())
    #expect(bridged.contains("@Relationship(inverse: \\Tag.notes)"))
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc")) func typeChecks() throws {
    var swiftData = [StandIns.swiftData]
    var coreData = [StandIns.coreData]
    for (number, pair) in Self.pairs.enumerated() {
      let advice = try pair.advice(number)
      swiftData.append(forStandIns(SwiftDataWriter(advice.source, schemaName: "Old \(number)").text))
      swiftData.append(forStandIns(SwiftDataWriter(advice.destination, schemaName: "New \(number)").text))
      swiftData.append(forStandIns(SwiftDataStages.text(advice)))
      coreData.append(ManagerStages.text(advice).replacing("import CoreData", with: "import Foundation"))
    }
    let complaints = try (
      swiftData: SwiftCompiler.complaints(aboutFiles: swiftData),
      coreData: SwiftCompiler.complaints(aboutFiles: coreData)
    )
    #expect(complaints.swiftData == "")
    #expect(complaints.coreData == "")
    // The check itself can fail: the compiler finds that the versions are missing.
    let mistaken = try SwiftCompiler.complaints(aboutFiles: [swiftData[0], swiftData[3]])
    #expect(mistaken != "", "the versions are missing")
  }

  /// The source without macros: classes conform to `PersistentModel` explicitly, and constraints are constants of key
  /// paths.
  private func forStandIns(_ source: String) -> String {
    source.replacing("import SwiftData\n", with: "").replacing("  @Model\n", with: "")
      .replacing(#/class ([A-Za-z_`]+) {/#) { "class \($0.1): PersistentModel {" }
      .replacing(#/#(Unique|Index)<(.+?)>\((.+)\)/#) {
        "static let _\($0.1)_\($0.2.replacing("`", with: "")): [[PartialKeyPath<\($0.2)>]] = [\($0.3)]"
      }
  }
}

extension RowCondition {
  /// "Item.price" for each property of the condition, by the names in the store; nil for conditions of another kind.
  fileprivate var places: [String]? {
    switch self {
    case .noNulls(let entities, let property): entities.map { "\($0).\(property)" }.prefix(1).map(\.self)
    case .noDuplicates(let entity, _, let properties, _): properties.map { "\(entity).\($0)" }
    default: nil
    }
  }
}

extension StageTask {
  fileprivate var places: [String] {
    switch self {
    case .fill(let entity, let property), .distinguish(let entity, let property): ["\(entity).\(property)"]
    case .dedupe(let entity, let properties): properties.map { "\(entity).\($0)" }
    case .convert(let entity, _, let to, _): ["\(entity).\(to)"]
    case .link(let entity, _, let relationship): ["\(entity).\(relationship)"]
    }
  }
}
