@testable import StoreRepair
import StoreCoreData
import StoreSQLite
import TestSupport
import Testing

/// A damaged recipe or expression is read or refused, and never crashes the program.
@Suite struct RecipeMutationTests {
  private static let recipe = """
    version: 1
    dedupe:
      - {entity: Note, by: [title, folder], compare: trimmed, nulls: equal, keep: {newest: createdAt}, others: {rename: "{title} ({n})"}}
    backfill:
      - {entity: Note, attribute: title, from: folder.name, group: [folder], expression: "upper(body)", value: "x", generate: uuid}
    relink:
      - {entity: Note, relationship: folder, match: {title: name}, separator: ","}
    dangling: nullify
    junctions: [{from: Note.tags, entity: A, source: b, destination: c}]
    inverses: [{entity: A, relationship: b, from: this}]
    structure: [reindex, metadata]
    trimHistory: {keep: 12}
    compact: true
    """

  @Test func recipesAreReadOrRefused() throws {
    let store = try Store(path: Project.path("corpus/Notes.sqlite"))
    var (read, refused) = (0, 0)
    for seed in UInt64(1)...2_000 {
      var random = SeededGenerator(seed: seed)
      let bytes = mutated(Array(Self.recipe.utf8), &random)
      do throws(RecipeMistakes) {
        let recipe = try Recipe(reading: bytes)
        _ = recipe.mistakes(in: store)
        let again = try Recipe(json: recipe.json)
        #expect(again == recipe, "seed \(seed)")
        read += 1
      } catch {
        #expect(!error.mistakes.isEmpty, "seed \(seed)")
        refused += 1
      }
    }
    #expect(read > 50 && refused > 500, "\(read) read, \(refused) refused")
  }

  @Test func expressionsAreEvaluatedOrRefused() throws {
    let sources = [
      "case when a > 1 and not b is null then substring(t, a, 3) || text(d) else replace(t, 'a', 'bb') end",
      "unix(d) * 2 - (a % 3) / -1 + integer(round(1.5e2, a))",
      "coalesce(number(t), reference(d), 9223372036854775807.0)",
      "text(uuid()) = t or uuid(t) != uuid('E621E1F8-C36C-495A-93FC-0C247A3E6E5F')", "abs(a) + length(trim(lower(t)))",
      "date(a, 'julian') - date(a, 'unix') >= julian(d)",
    ]
    let types: [String: ExpressionType] = ["a": .integer, "b": .boolean, "t": .text, "d": .date]
    let values: [SQLiteValue] = [
      .null, .integer(.min), .integer(.max), .integer(0), .real(.nan), .real(-1e308), .text("a"), .text([0xff, 0]),
      .blob([]),
    ]
    var (evaluated, refused) = (0, 0)
    for seed in UInt64(1)...2_000 {
      var random = SeededGenerator(seed: seed)
      let source = sources[Int(seed) % sources.count]
      let bytes = mutated(Array(source.utf8), &random)
      do throws(ExpressionError) {
        let expression = try RecipeExpression(String(decoding: bytes, as: UTF8.self))
        let checked = try expression.checked { path throws(ExpressionError) in
          guard let type = types[path] else { throw ExpressionError(column: nil, "none") }
          return type
        }
        for _ in 0..<20 {
          let inputs = checked.paths.map { _ in values[Int.random(in: 0..<values.count, using: &random)] }
          _ = try? checked.value(of: inputs, row: 1, in: "A.b", made: SeededValues(seed: seed, now: 0))
        }
        evaluated += 1
      } catch {
        #expect(!error.message.isEmpty, "seed \(seed)")
        refused += 1
      }
    }
    #expect(evaluated > 50 && refused > 500, "\(evaluated) evaluated, \(refused) refused")
  }

  /// Makes one to three changes: a byte changed, removed or doubled, or a piece of the text moved.
  private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes[place] = Array("(){}[]'\",:-+*/|.%0 \n".utf8).randomElement(using: &random) ?? 0
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(12), at: Int.random(in: 0...bytes.count, using: &random))
      case _: bytes.insert(contentsOf: repeatElement(bytes[place], count: 100), at: place)
      }
    }
    return bytes
  }
}
