import Foundation
import TestSupport
import Testing

/// `lint` says of the stages of a plan what `diagnose` says of a store of each version: what stops it, and what it loses
/// that a later version is meant to hold; also where one after that drops it on purpose.
@Suite struct OneJudgeTests {
  @Test(arguments: LongRuns.seeds(8, whole: 500)) func lintAndDiagnoseAgree(seed: UInt64) throws {
    var plan = MadeUpPlan(seed: seed)
    let source = plan.source()
    try agree(on: source, versions: plan.versions.count, ends: { plan.ends(of: $0) }) { version, property, end in
      plan.isMeantToLast(property, from: version, to: end)
    }
  }

  /// Two renames, each naming the version before; a type that changes across a version that lacks the property; one that
  /// changes and changes back.
  @Test(arguments: [
    [
      "var water: String = \"\"", "@Attribute(originalName: \"water\") var moisture: String = \"\"",
      "@Attribute(originalName: \"moisture\") var soil: String = \"\"",
    ],
    [
      "var name: String = \"\"; var height: String = \"\"", "var name: String = \"\"",
      "var name: String = \"\"; var height: Int = 0",
    ],
    ["var height: String = \"\"", "var height: Int = 0", "var height: String = \"\"; var width: Int = 0"],
  ])
  func theyAgreeOnWhatSkipsAVersion(bodies: [String]) throws {
    let isChain = bodies[0].contains("water")
    let source = MadeUpPlan.source(bodies: bodies, stages: .light)
    try agree(on: source, versions: bodies.count, ends: { _ in [bodies.count] }) { _, _, _ in isChain }
  }

  /// - Parameters:
  ///   - ends: the versions in which the steps of a version's store end, the last one included.
  ///   - isMeantToLast: whether a property of a version is carried on up to another one.
  private func agree(
    on source: String, versions: Int, ends: (_ version: Int) -> [Int],
    isMeantToLast: (_ version: Int, _ property: String, _ end: Int) -> Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(source.utf8), to: "Models.swift")
    let said = try Said(try Program.run(["lint", folder("Models.swift"), "--no-config", "--format", "json"]))
    for number in 1..<versions {
      let version = "V\(number)"
      let store = folder("\(version).store")
      let sample = try Program.run(
        ["model", "sample", "\(folder("Models.swift"))#\(version)", "--output", store, "--rows", "8"])
      #expect(sample.status == 0, "\(sample.errors)\n\(source)")
      func judged(in end: Int) throws -> Judged {
        try Judged(
          try Program.run([
            "diagnose", store, "--model", folder("Models.swift"), "--to-version", "V\(end)", "--no-config", "--format",
            "json",
          ]))
      }
      let last = try judged(in: versions)
      #expect(last.isStopped == said.stopped.contains(version), "\(version): \(last), \(said) of\n\(source)")
      guard !last.isStopped else { continue }
      #expect(Set((said.lost[version] ?? [:]).keys).isSubset(of: ends(number)))
      var sofar: Set<String> = []
      for end in ends(number) {
        let own = said.lost[version]?[end] ?? []
        #expect(own.allSatisfy { isMeantToLast(number, $0, end) }, "\(version) to V\(end): \(said) of\n\(source)")
        sofar = sofar.union(own).filter { isMeantToLast(number, $0, end) }
        let judged = end == versions ? last : try judged(in: end)
        let lost = judged.lost.filter { isMeantToLast(number, $0, end) }
        #expect(lost == sofar, "\(version) to V\(end): \(judged), \(said) of\n\(source)")
      }
    }
  }

  /// The verdict of `diagnose` for a version.
  private struct Judged {
    var isStopped = false
    var lost: Set<String> = []

    init(_ outcome: Program.Outcome) throws {
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.errors)")
      let models = try #require(json["models"] as? [[String: Any]])
      let model = try #require(models.first { $0["deciding"] as? Bool == true })
      isStopped = ["needs-custom-stage", "blocked-by-data"].contains(try #require(model["verdict"] as? String))
      for loss in model["losses"] as? [[String: Any]] ?? [] {
        if let property = loss["property"] as? String { lost.insert(property) }
      }
    }
  }

  /// What `lint` says of stages.
  private struct Said {
    /// The versions whose stores do not get to the last one.
    var stopped: Set<String> = []
    /// The properties whose values they lose, by version and by the number of the version where that shows.
    var lost: [String: [Int: Set<String>]] = [:]

    init(_ outcome: Program.Outcome) throws {
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome.errors)")
      for finding in json["findings"] as? [[String: Any]] ?? [] {
        let notes = (finding["notes"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
        let message = finding["message"] as? String ?? ""
        switch finding["id"] as? String ?? finding["check"] as? String {
        case "SD925": stopped.formUnion(try Self.stores(notes) ?? [Self.start(message)])
        case "SD932":
          let end = try #require((finding["schema"] as? String).flatMap { Int($0.dropFirst()) })
          for note in notes {
            let words = try #require(note.firstMatch(of: #/^(\w+) of (\w+)/#))
            lost[String(words.2), default: [:]][end, default: []].insert(String(words.1))
          }
        default: continue
        }
      }
    }

    private static func stores(_ notes: [String]) -> [String]? {
      let list = notes.compactMap { $0.wholeMatch(of: #/it stops stores of (.*)/#)?.1 }.first
      return list?.matches(of: #/V\d+/#).map { String($0.output) }
    }

    private static func start(_ message: String) throws -> String {
      String(try #require(message.firstMatch(of: #/from (\w+) to/#)).1)
    }
  }
}

/// A plan of a few versions of one class, whose properties are renamed, retyped, dropped and added.
private struct MadeUpPlan {
  enum Stages: CaseIterable { case none, light, oneCustom }

  struct Property {
    /// The same through all renames.
    var identity: Int
    var name: String
    var originalName: String?
    var type: String

    var firstName: String { originalName ?? name }
    var text: String {
      let value = ["String": " = \"\"", "Int": " = 0", "Double": " = 0"][type] ?? ""
      return (originalName.map { "@Attribute(originalName: \"\($0)\") " } ?? "") + "var \(name): \(type)\(value)"
    }
  }

  private(set) var versions: [[Property]] = []
  private let stages: Stages
  private var random: SeededGenerator
  private var count = 0
  private static let types = ["String", "Int", "Double", "Date?"]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    stages = Stages.allCases.randomElement(using: &random) ?? .light
    versions.append((0..<Int.random(in: 2...4, using: &random)).map { _ in added() })
    for _ in 0..<Int.random(in: 1...3, using: &random) { versions.append(next()) }
  }

  private mutating func added() -> Property {
    count += 1
    return Property(
      identity: count, name: "p\(count)", type: Self.types.randomElement(using: &random) ?? "String")
  }

  private mutating func next() -> [Property] {
    var properties = (versions.last ?? []).compactMap { changed($0) }
    // One that went may come back, with another type or the same, if nothing is known by its name.
    // One of the version before would not be gone: under its name it is the same.
    let last = Set((versions.last ?? []).map(\.name))
    let gone = versions.joined().filter { old in
      !last.contains(old.name)
        && !properties.contains { $0.identity == old.identity || [$0.name, $0.firstName].contains(old.name) }
    }
    if var back = gone.randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
      count += 1
      back.identity = count
      back.originalName = nil
      if Bool.random(using: &random) { back.type = Self.types.randomElement(using: &random) ?? "String" }
      properties.append(back)
    }
    // So no two versions are equal.
    properties.append(added())
    return properties
  }

  private mutating func changed(_ old: Property) -> Property? {
    var property = old
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2:
      count += 1
      property.name = "p\(count)"
      property.originalName = Bool.random(using: &random) ? old.name : old.firstName
    case 3: return nil
    case 4: property.type = Self.types.randomElement(using: &random) ?? "String"
    case 5: property.originalName = nil
    default: break
    }
    return property
  }

  /// Whether a property of a version is carried on by every later one up to an end.
  func isMeantToLast(_ name: String, from number: Int, to end: Int) -> Bool {
    guard let property = versions[number - 1].first(where: { $0.name == name }) else { return false }
    return versions[number..<end].allSatisfy { $0.contains { $0.identity == property.identity } }
  }

  /// The versions in which the steps of a version's store end: lightweight ones are taken as one.
  func ends(of number: Int) -> [Int] {
    let custom = stages == .oneCustom ? (versions.count - 1) / 2 + 1 : versions.count
    return Set([custom, custom + 1, versions.count]).filter { number < $0 && $0 <= versions.count }.sorted()
  }

  mutating func source() -> String {
    Self.source(bodies: versions.map { $0.map(\.text).joined(separator: "; ") }, stages: stages)
  }

  static func source(bodies: [String], stages: Stages) -> String {
    let versions = bodies.enumerated().map { number, body in
      """
      enum V\(number + 1): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number + 1), 0, 0)
        static var models: [any PersistentModel.Type] { [Plant.self] }
        @Model final class Plant { \(body); init() {} }
      }

      """
    }
    let pairs = (1..<bodies.count).map { "fromVersion: V\($0).self, toVersion: V\($0 + 1).self" }
    let custom = stages == .oneCustom ? pairs.count / 2 : nil
    let list = pairs.enumerated().map { number, ends in
      number == custom ? ".custom(\(ends), willMigrate: nil, didMigrate: nil)" : ".lightweight(\(ends))"
    }
    return "import Foundation\nimport SwiftData\n\n" + versions.joined()
      + """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\((1...bodies.count).map { "V\($0).self" }.joined(separator: ", "))] }
        static var stages: [MigrationStage] { [\(stages == .none ? "" : list.joined(separator: ", "))] }
      }

      """
  }
}
