import SQLitePages

/// Hashes of the values of rows, to compare damaged ones with others.
enum ValuePrints {
  /// A hash of each value of a row but the first, which is the key; nil for those that are lost.
  static func all(
    _ record: Record, in bytes: UnsafeRawBufferPointer, isLost: (Int) -> Bool = { _ in false }
  ) -> [UInt64?] {
    (0..<record.count).dropFirst().map { isLost($0) ? nil : one(record.fields[$0], in: bytes) }
  }

  static func one(_ field: Record.Field, in bytes: UnsafeRawBufferPointer) -> UInt64? {
    guard let size = field.type.size, field.offset >= 0, field.offset <= bytes.count - size else { return nil }
    var hash = ByteHash()
    hash.add(field.type.code)
    hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[field.offset..<field.offset + size]))
    return hash.value
  }

  /// Whether nothing that both have differs.
  static func areAlike(_ one: [UInt64?], _ other: [UInt64?]) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }
}

/// Damaged rows without a key, to be told from damaged copies of live rows: each by its longest value that is left.
struct DamagedRows: Sendable {
  /// The columns of those values.
  private(set) var columns: Set<Int> = []
  private var byValue = CandidateIndex()
  /// Whether one value has more rows than are compared.
  private(set) var isIncomplete = false

  /// The most rows with one value.
  private static let limit = 100

  mutating func add(_ index: Int, longest column: Int, print: UInt64) {
    var count = 0
    forEach(column: column, print: print) { _ in count += 1 }
    guard count < Self.limit else { return isIncomplete = true }
    columns.insert(column)
    byValue.insert(Self.hash(column: column, print: print), number: index)
  }

  func forEach(column: Int, print: UInt64, _ body: (Int) -> Void) {
    byValue.forEach(Self.hash(column: column, print: print)) { index in
      body(index)
      return true
    }
  }

  private static func hash(column: Int, print: UInt64) -> UInt64 {
    var hash = ByteHash()
    hash.add(Int64(column))
    hash.add(Int64(bitPattern: print))
    return hash.value
  }
}

/// What is left of a damaged row.
struct DamagedPrints {
  /// The hashes of its values; nil for those that are lost.
  let all: [UInt64?]
  /// Which of them is that of the longest value, and the hash.
  let longest: Int
  let print: UInt64

  /// Whether rows of a template may have numbers of before, so that what is left of them has to be read.
  static func mayBeOfBefore(_ template: RowTemplate) -> Bool { template.coreData?.successors.isEmpty == false }

  /// Of a row without a key that is damaged, or has a number of before: either may be that of a live row. Nil for others.
  init?(_ candidate: Candidate, _ rows: FoundSoFar, _ reader: inout RecordReader) throws {
    guard candidate.key == nil else { return nil }
    let rule = rows.templates[candidate.template].coreData
    let read = try reader.read(candidate, extra: rows.extra(of: candidate)) {
      record, bytes -> (all: [UInt64?], longest: Int, print: UInt64)? in
      // A migration gives the entity another number, and changes no `Z_OPT`.
      let isOfBefore =
        rule.flatMap { rule in
          record.integer(rule.entityColumn, in: bytes).map { rule.successors[$0] != nil }
        } ?? false
      guard candidate.isDamaged || isOfBefore else { return nil }
      let prints = ValuePrints.all(record, in: bytes) {
        isOfBefore && $0 == rule?.entityColumn || candidate.isLost($0, field: record.fields[$0])
      }
      let longest = prints.indices.filter { prints[$0] != nil }.max {
        record.fields[$0 + 1].type.size ?? 0 < record.fields[$1 + 1].type.size ?? 0
      }
      return longest.flatMap { column in prints[column].map { (prints, column, $0) } }
    }
    guard let read else { return nil }
    (all, longest, print) = read
  }
}
