import StoreMigration
import StoreDataModel
import TestSupport
import Testing

/// What a successful migration removes, and the rows that are affected.
@Suite struct LossTests {
  private func inference(_ old: [String], _ new: [String]) throws -> MigrationInference {
    MigrationInference(ModelDifference(from: try ModelNotation.model(old), to: try ModelNotation.model(new)))
  }

  private func words(_ losses: [Loss]) -> [String] {
    losses.map { "\($0.kind.rawValue) \([$0.entity, $0.property].compactMap { $0 }.joined(separator: "."))" }
  }

  @Test(arguments: [
    (["N: a String?"], ["N: a String?; b String?"], []),
    (["N: a String?; b String?"], ["N: a String?"], ["values N.b"]),
    (["N: a String?", "O: b UUID?"], ["N: a String?"], ["rows O"]),
    (["N: a String?; o ->O?", "O: b UUID?"], ["N: a String?", "O: b UUID?"], ["links N.o"]),
    (["N: a String?; b String?"], ["N: a String?; c String? was(b)"], []),
    (["N: a String?; b String?"], ["N: a String?; c I64?"], ["values N.b"]),
    (["N: a String?", "O: b UUID?"], ["N: a String?", "P was(O): b UUID?"], []),
    (["N: a String?", "O: b UUID?"], ["N: a String?", "P: b UUID?"], ["rows O"]),
    (["N: a String?; b String? transient"], ["N: a String?"], []),
    (["N: a String?; b String?"], ["N: a String?; b String? transient"], ["values N.b"]),
    (["P: a Date?", "Q<P: b Bool?"], ["P", "Q<P: b Bool?; a Date?"], ["someValues P.a"]),
    (["P abstract: a Date?", "Q<P: b Bool?"], ["P abstract", "Q<P: b Bool?; a Date?"], []),
    (["P abstract", "Q: b Bool?"], ["Q: b Bool?"], []),
    // An abstract entity is removed. Its attributes are removed too, or move to its subentities.
    (["P abstract: a Date?", "Q<P: b Bool?"], ["Q: b Bool?"], ["values P.a"]),
    (["P abstract: a Date?", "Q<P: b Bool?"], ["Q: a Date?; b Bool?"], []),
    // Under another root, an entity loses the attributes of its former parent, although the parent keeps them.
    (["P: a Date?", "Q<P: b Bool?", "R: c Bool?"], ["P: a Date?", "Q<R: b Bool?", "R: c Bool?"], ["someValues P.a"]),
    (["P: a Date?", "Q<P: b Bool?"], ["P: a Date?", "Q: b Bool?"], ["someValues P.a"]),
    (["P: a Date?", "Q<P: b Bool?"], ["P: a Date?", "Q: b Bool?; a Date?"], []),
    (["P: a Date?", "Q<P: b Bool?", "R<Q"], ["P: a Date?", "Q<P: b Bool?", "R<P"], ["someValues Q.b"]),
    (["P: a Date?", "Q<P: b Bool?", "R<Q: c Bool?"], ["R: a Date?; c Bool?"], ["rows P", "rows Q", "values Q.b"]),
    // If only one side of a relationship is removed, the other keeps the links.
    (["F: n ->>N?~f", "N: f ->F?~n"], ["F", "N: f ->F?"], []),
    (["F: n ->>N?~f", "N: f ->F?~n"], ["F: n ->>N?", "N"], []),
    (["F: n ->N?~f", "N: f ->F?~n"], ["F", "N: f ->F?"], []),
    (["F: n ->>N?~f", "N: f ->F?~n"], ["F", "N"], ["links F.n", "links N.f"]),
    (["F: n ->>N?~f", "N: f ->F?~n"], ["F"], ["links F.n", "rows N"]),
    (["F: n ->>N?~f", "N: f ->>F?~n"], ["F", "N: f ->>F?"], ["someLinks F.n"]),
    (["F: n ->>N?~f", "N: f ->>F?~n"], ["F: m ->>N?~f", "N: f ->>F?~m"], []),
    // A to-many relationship becomes to-one, or is no longer ordered.
    (["F: n ->>N?~f", "N: f ->F?~n"], ["F: n ->N?~f", "N: f ->F?~n"], ["someLinks F.n"]),
    (["F: n ->>N? ordered", "N"], ["F: n ->>N?", "N"], ["order F.n"]),
    (["F: n ->>N?", "N"], ["F: n ->>N? ordered", "N"], []),
    (["F: n ->N?", "N", "O"], ["F: n ->O?", "N", "O"], ["links F.n"]),
    // An element of a composite attribute is removed.
    (["N: a Composite? of(x I64?,y I64?)"], ["N: a Composite? of(x I64?)"], ["values N.a.y"]),
    // The change is not hashed, or no mapping can be inferred: no migration, so nothing is lost.
    (["N: a String?=x"], ["N: a String?=y"], []),
    (["N: a String?"], ["N: a Date?"], []),
  ])
  func namesWhatIsGone(_ old: [String], _ new: [String], _ losses: [String]) throws {
    #expect(try words(inference(old, new).losses) == losses)
  }

  @Test func asksTheRowsOfSubentitiesToo() throws {
    let old = ["P: a Date?; p Bool?", "Q<P: q Bool?", "R<P: r Bool?"]
    let removed = try inference(old, ["P: p Bool?", "Q<P: q Bool?", "R<P: r Bool?"])
    #expect(conditions(removed) == [.noValues(["P", "Q", "R"], property: "a")])
    let movedDown = try inference(old, ["P: p Bool?", "Q<P: q Bool?; a Date?", "R<P: r Bool?"])
    #expect(conditions(movedDown) == [.noValues(["P", "R"], property: "a")])
    let moved = try inference(old + ["S"], ["P: a Date?; p Bool?", "Q<S: q Bool?", "R<P: r Bool?", "S: p Bool?"])
    #expect(conditions(moved) == [.noValues(["Q"], property: "a")])
  }

  private func conditions(_ inference: MigrationInference) -> [RowCondition] {
    inference.effects.flatMap(\.rules).filter { $0.consequence == .loses }.map(\.condition)
  }

  /// The losses are all properties and entities that the destination lacks, whatever the changes between the models.
  /// The expectation compares the two models entity by entity, without computing changes.
  @Test(arguments: UInt64(0)..<300) func missesNothingThatRowsHold(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let old = try Self.model(&random)
    let new = try Self.model(&random)
    let inference = MigrationInference(ModelDifference(from: old, to: new))
    guard inference.isInferable else { return }
    var told: Set<String> = []
    for case let (entities, property) in inference.losses.map({ Self.place($0.condition) }) {
      for entity in entities { told.insert("\(entity) \(property ?? "")") }
    }
    var expected: Set<String> = []
    for entity in old.entities where !entity.isAbstract {
      guard let kept = new.entity(named: entity.name) else {
        expected.insert("\(entity.name) ")
        continue
      }
      let names = Set(new.properties(of: kept.name).keys)
      for name in old.properties(of: entity.name).keys where !names.contains(name) {
        expected.insert("\(entity.name) \(name)")
      }
    }
    #expect(told == expected, "seed \(seed): \(Self.words(old)) to \(Self.words(new))")
  }

  private static func place(_ condition: RowCondition) -> ([String], String?) {
    switch condition {
    case .noRows(let entities): (entities, nil)
    case .noValues(let entities, let property): (entities, property)
    default: ([], nil)
    }
  }

  /// Up to six entities, some of them subentities. Attributes have one of four names, so that names often coincide.
  private static func model(_ random: inout SeededGenerator) throws -> Model {
    let names = ["A", "B", "C", "D", "E", "F"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    var taken: [String: Set<String>] = [:]
    var entities: [Entity] = []
    for (place, name) in names.enumerated() {
      let parent = Bool.random(using: &random) && place > 0 ? names[Int.random(in: 0..<place, using: &random)] : nil
      var entity = Entity(name: name, parent: parent)
      entity.isAbstract = Int.random(in: 0..<4, using: &random) == 0
      let inherited = parent.flatMap { taken[$0] } ?? []
      let own = ["p", "q", "r", "s"].filter { !inherited.contains($0) && Int.random(in: 0..<3, using: &random) == 0 }
      entity.properties = own.map { Property(name: $0, kind: .attribute(Attribute(type: .string))) }
      taken[name] = inherited.union(own)
      entities.append(entity)
    }
    return try Model(entities: entities)
  }

  private static func words(_ model: Model) -> String {
    model.entities.map { "\($0.name)<\($0.parent ?? "")\($0.isAbstract ? "*" : ""): \($0.properties.map(\.name))" }
      .joined(separator: "; ")
  }
}
