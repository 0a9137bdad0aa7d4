import SQLitePages

/// What is asked of a template at every byte, without anything whose references would be counted: of two threads that count the
/// same ones each waits for the other.
package struct AskedTemplate {
  private let facts: UnsafePointer<TemplateAnswers>

  fileprivate init(_ facts: UnsafePointer<TemplateAnswers>) { self.facts = facts }

  /// The storage classes of the values.
  package var masks: UnsafeBufferPointer<UInt8> { facts.pointee.masks }
  /// The numbers of values, the largest first, then those that are not sure.
  var counts: UnsafeBufferPointer<Int> { facts.pointee.counts }
  /// The types of one byte that the first values of live rows have, ascending.
  var firstTypes: UnsafeBufferPointer<Int64> { facts.pointee.firstTypes }
  /// Where `Z_ENT` is in the record; nil for a table without Core Data's columns.
  var entityColumn: Int? { facts.pointee.entityColumn }
  /// The template of the table as it is today.
  var home: Int { facts.pointee.home }
  /// The largest row id handed out, as far as known.
  var largestKey: Int64? { facts.pointee.largestKey }
  /// Bytes with which neither a first nor a second value's type begins: the longest row of them, empty for none.
  var bytesOfNoType: ClosedRange<UInt8>? { facts.pointee.bytesOfNoType }

  /// Whether it is of a table with Core Data's own columns.
  package var isOfCoreData: Bool { entityColumn != nil }

  /// Whether the type of the first value may begin with a byte; this is asked at every byte.
  @inline(__always)
  func mayBegin(_ byte: UInt8) -> Bool { facts.pointee.firstBytes[Int(byte)] }

  /// Whether that of the second value may.
  @inline(__always)
  func mayGoOn(_ byte: UInt8) -> Bool { facts.pointee.firstBytes[256 + Int(byte)] }

  /// Whether rows are known to have so many values.
  func isSure(count: Int) -> Bool { counts.prefix(facts.pointee.sureCounts).contains(count) }

  /// Whether types fit throughout.
  package func admits(_ record: Record) -> Bool {
    guard counts.contains(record.count), record.count <= masks.count else { return false }
    for column in 0..<record.count where !record.fields[column].type.fits(masks[column]) { return false }
    return true
  }

  /// Whether the values agree with what Core Data writes in every row.
  package func agrees(_ record: Record, in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard let entityColumn else { return true }
    let (isForeign, entities) = (facts.pointee.isForeign, facts.pointee.entities)
    guard let entity = record.integer(entityColumn, in: bytes, at: start),
      isForeign ? mayHaveBeen(entity) : entities.contains(entity)
    else { return false }
    guard let versionColumn = facts.pointee.versionColumn else { return true }
    // "`Z_OPT` is 1 after insert"; NULL only in history tables.
    guard let version = record.integer(versionColumn, in: bytes, at: start) else { return false }
    return version >= 1 && version < 1 << 40
  }

  /// Whether no date is one that only bytes read at a wrong offset give, such as 10²³ seconds after 2001.
  ///
  /// - Parameter local: bytes of the record on the page.
  func hasPossibleDates(_ record: Record, in bytes: UnsafeRawBufferPointer, at start: Int, local: Int) -> Bool {
    for column in facts.pointee.dates where column < record.count && record.fields[column].type.code == 7 {
      let offset = record.fields[column].offset
      guard offset <= local - 8, start + offset >= 0, start + offset <= bytes.count - 8 else { continue }
      let date = abs(
        Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))))
      // A NaN is stored as NULL.
      guard date == 0 || date > Self.nearestDate && date < Self.farthestDate else { return false }
    }
    return true
  }

  /// Seconds from 2001 beyond which no clock gives any, in whatever unit an app mistakes for seconds.
  private static let farthestDate = 1e20
  /// Less than a difference of two clocks.
  private static let nearestDate = 1e-12

  /// The most entities that a model has lost since, as far as numbers without another witness are believed.
  private static let farthest: Int64 = 100

  /// Whether a number is near those of the table, and none of them.
  private func mayHaveBeen(_ number: Int64) -> Bool {
    let entities = facts.pointee.entities
    guard let first = entities.first, let last = entities.last, !entities.contains(number), number >= 1 else {
      return false
    }
    let (below, isFarBelow) = first.subtractingReportingOverflow(number)
    let (above, isFarAbove) = number.subtractingReportingOverflow(last)
    return (isFarBelow ? number > first : below <= Self.farthest)
      && (isFarAbove ? number < last : above <= Self.farthest)
  }
}

/// What `AskedTemplate` answers with.
private struct TemplateAnswers {
  let masks: UnsafeBufferPointer<UInt8>
  let counts: UnsafeBufferPointer<Int>
  /// How many of the counts are sure.
  let sureCounts: Int
  let firstTypes: UnsafeBufferPointer<Int64>
  /// The numbers of the entities of its table, ascending.
  let entities: UnsafeBufferPointer<Int64>
  let entityColumn: Int?
  let versionColumn: Int?
  /// For each byte whether a first value's type may begin with it, and then the same for the second value.
  let firstBytes: UnsafeBufferPointer<Bool>
  /// The columns of dates.
  let dates: UnsafeBufferPointer<Int>
  let isForeign: Bool
  let home: Int
  let largestKey: Int64?
  let bytesOfNoType: ClosedRange<UInt8>?

  init(_ template: RowTemplate) {
    func kept<Value>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
      let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: values.count)
      _ = memory.initialize(from: values)
      return UnsafeBufferPointer(memory)
    }
    masks = kept(template.masks)
    firstBytes = kept(
      (0..<2).flatMap { column in
        // Types of two bytes and more are texts and blobs, which are looked at as they are.
        (0..<256).map { byte in
          byte >= 0x80
            || column < template.masks.count && SerialType(Int64(byte)).fits(template.masks[column])
        }
      })
    let unsure = template.unsureCounts.subtracting(template.counts)
    counts = kept(template.counts.sorted(by: >) + unsure.sorted(by: >))
    sureCounts = template.counts.count
    firstTypes = kept(template.firstTypes.sorted().filter { $0 < 128 })
    entities = kept(template.coreData?.entities.sorted() ?? [])
    dates = kept(template.coreData == nil ? [] : template.dateColumns)
    (entityColumn, versionColumn) = (template.coreData?.entityColumn, template.coreData?.versionColumn)
    (isForeign, home, largestKey) = (template.isForeign, template.home, template.largestKey)
    bytesOfNoType = Self.bytesOfNoType(firstBytes)
  }

  func deallocate() {
    masks.deallocate()
    firstBytes.deallocate()
    counts.deallocate()
    firstTypes.deallocate()
    entities.deallocate()
    dates.deallocate()
  }

  private static func bytesOfNoType(_ firstBytes: UnsafeBufferPointer<Bool>) -> ClosedRange<UInt8>? {
    var longest: ClosedRange<UInt8>?
    var start: UInt8?
    for byte in UInt8.min...UInt8.max {
      guard !firstBytes[Int(byte)], !firstBytes[256 + Int(byte)] else {
        start = nil
        continue
      }
      let range = (start ?? byte)...byte
      start = range.lowerBound
      if range.count > longest?.count ?? 0 { longest = range }
    }
    return longest
  }
}

/// All templates of a search, in memory of their own.
package final class AskedTemplates: @unchecked Sendable {
  private let all: UnsafeMutablePointer<TemplateAnswers>
  private let count: Int
  private let firstBytes: UnsafeMutableBufferPointer<Bool>

  package init(_ templates: [RowTemplate]) {
    count = templates.count
    all = .allocate(capacity: max(count, 1))
    for (index, template) in templates.enumerated() { (all + index).initialize(to: TemplateAnswers(template)) }
    let asked = (0..<count).map { [all] in AskedTemplate(all + $0) }
    firstBytes = .allocate(capacity: 256)
    _ = firstBytes.initialize(from: (0...UInt8.max).map { byte in asked.contains { $0.mayBegin(byte) } })
  }

  deinit {
    for index in 0..<count { all[index].deallocate() }
    all.deallocate()
    firstBytes.deallocate()
  }

  /// A template by its number, which the search itself has given.
  package subscript(_ template: Int) -> AskedTemplate {
    @inline(__always) get {
      precondition(template >= 0 && template < count, "templates are counted by the search itself")
      return AskedTemplate(all + template)
    }
  }

  /// Whether the type of the first value of any row may begin with a byte.
  @inline(__always)
  func mayBegin(_ byte: UInt8) -> Bool { firstBytes[Int(byte)] }
}
