// swift-format-ignore-file
// Made by scripts/embed-swift from Sources/StoreStageFunctions; `make docs` makes it again.

/// The text of each file, by its name.
let embeddedSwift: [String: String] = [
  "StageValue+CoreData.swift": #"""
    // Generated stages have these functions written out: scripts/embed-swift puts this file's text into StoreSwiftCode. A piece
    // is what follows a comment that names it; `needs` are the pieces that it calls.

    #if canImport(CoreData)
      import CoreData
      import Foundation

      extension StageValue {
        // piece: context; needs Failure
        /// A context for the store at the stage's version.
        static func context(_ manager: NSStagedMigrationManager) throws -> NSManagedObjectContext {
          guard let container = manager.container else { throw Failure(reason: "the migration has no container") }
          return container.newBackgroundContext()
        }

        // piece: inOrder; needs key, Objects
        /// The objects of an entity in the order of their keys, read from the store 500 at a time.
        static func inOrder(_ entity: String, _ context: NSManagedObjectContext) throws -> Objects {
          let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
          request.resultType = .managedObjectIDResultType
          let found = try context.fetch(request).map { (key: key(of: $0), id: $0) }
          return Objects(ids: found.sorted { $0.key < $1.key }.map(\.id), entity: entity, context: context)
        }

        // piece: Objects
        struct Objects: Sequence, IteratorProtocol {
          let ids: [NSManagedObjectID]
          let entity: String
          let context: NSManagedObjectContext
          var place = 0
          var batch: [NSManagedObject] = []

          mutating func next() -> NSManagedObject? {
            guard place < ids.count else { return nil }
            if place % 500 == 0 {
              // Only a warm-up: an object that is not in the batch is read by itself.
              let request = NSFetchRequest<NSManagedObject>(entityName: entity)
              request.predicate = NSPredicate(format: "SELF IN %@", Array(ids[place..<Swift.min(place + 500, ids.count)]))
              request.returnsObjectsAsFaults = false
              batch = (try? context.fetch(request)) ?? []
            }
            place += 1
            return context.object(with: ids[place - 1])
          }
        }

        // piece: key
        /// The key of an object, which a migration keeps; that of a new one is behind all others.
        static func key(of id: NSManagedObjectID) -> Int64 {
          Int64(id.uriRepresentation().lastPathComponent.dropFirst()) ?? .max
        }
      }
    #endif
    """#,
  "StageValue+SwiftData.swift": #"""
    // Generated stages have these functions written out: scripts/embed-swift puts this file's text into StoreSwiftCode. A piece
    // is what follows a comment that names it; `needs` are the pieces that it calls.

    #if canImport(SwiftData)
      import SwiftData
      import Foundation

      extension StageValue {
        // piece: inOrder; needs knownKey
        /// The objects of a class in the order of their keys, read from the store 500 at a time; in the order of the fetch
        /// where a key cannot be told.
        static func inOrder<T: PersistentModel>(_ type: T.Type, _ context: ModelContext) throws -> some Sequence<T> {
          let objects = try context.fetch(FetchDescriptor<T>(), batchSize: 500)
          var places: [(key: Int64, place: Int)] = []
          for place in 0..<objects.count { places.append((knownKey(of: objects[place]) ?? Int64(place), place)) }
          return places.sorted { $0.key < $1.key }.lazy.map { objects[$0.place] }
        }

        // piece: knownKey
        /// The key of an object. How an identifier is encoded was observed, and is not documented: nil for another form.
        static func knownKey(of object: some PersistentModel) -> Int64? {
          guard let data = try? JSONEncoder().encode(object.persistentModelID) else { return nil }
          let text = String(decoding: data, as: UTF8.self)
          guard let place = text.range(of: "\"primaryKey\":\"p") else { return nil }
          return Int64(text[place.upperBound...].prefix { $0.isNumber })
        }

        // piece: key; needs knownKey
        /// The key of an object, which a migration keeps; of an identifier of another form, a number made of all its bytes.
        static func key(of object: some PersistentModel) throws -> Int64 {
          if let known = knownKey(of: object) { return known }
          let encoder = JSONEncoder()
          encoder.outputFormatting = .sortedKeys
          // FNV-1a
          let bytes = try encoder.encode(object.persistentModelID)
          return Int64(bitPattern: bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
        }
      }
    #endif
    """#,
  "StageValue.swift": #"""
    // Generated stages have these functions written out: scripts/embed-swift puts this file's text into StoreSwiftCode. A piece
    // is what follows a comment that names it; `needs` are the pieces that it calls.

    import Foundation

    /// The expression language of recipes, where nil stands for NULL: a function for each of its functions, with the same
    /// errors.
    enum StageValue {
      // piece: Failure
      struct Failure: Error {
        var reason: String
      }

      // piece: twins
      /// The objects that are equal in a key, each group in their order.
      static func twins<T>(
        _ objects: some Sequence<T>, nullsAreEqual: Bool, by key: (T) -> [AnyHashable?]
      ) -> [[T]] {
        var places: [[AnyHashable?]: Int] = [:]
        var groups: [[T]] = []
        for object in objects {
          let key = key(object)
          guard nullsAreEqual || !key.contains(nil) else { continue }
          if let place = places[key] {
            groups[place].append(object)
          } else {
            places[key] = groups.count
            groups.append([object])
          }
        }
        return groups.filter { $0.count > 1 }
      }

      // piece: list
      /// The objects of a to-many relationship, which may be optional.
      static func list<T>(_ objects: [T]?) -> [T] { objects ?? [] }

      // piece: sorted
      /// The objects with the best value first; of equals the first, and nil last.
      static func sorted<T, V>(_ objects: [T], by value: (T) -> V?, _ isBetter: (V, V) -> Bool) -> [T] {
        // swift-format-ignore
        objects.enumerated().map { (place: $0.offset, object: $0.element, value: value($0.element)) }.sorted { left, right in
          guard let first = left.value else { return right.value == nil && left.place < right.place }
          guard let second = right.value else { return true }
          return isBetter(first, second) || !isBetter(second, first) && left.place < right.place
        }.map(\.object)
      }

      // piece: only
      /// The objects by key, where only one object has it.
      static func only<T>(_ objects: some Sequence<T>, by key: (T) -> [AnyHashable?]) -> [[AnyHashable?]: T] {
        var found: [[AnyHashable?]: T?] = [:]
        for object in objects {
          let key = key(object)
          if !key.contains(nil) { found.updateValue(found.keys.contains(key) ? nil : object, forKey: key) }
        }
        return found.compactMapValues { $0 }
      }

      // piece: first
      /// The first object with each key, of those that have a value.
      static func first<T>(
        _ objects: some Sequence<T>, having hasValue: (T) -> Bool, by key: (T) -> [AnyHashable?]
      ) -> [[AnyHashable?]: T] {
        var found: [[AnyHashable?]: T] = [:]
        for object in objects where hasValue(object) {
          let key = key(object)
          if !key.contains(nil), found[key] == nil { found[key] = object }
        }
        return found
      }

      // piece: Numbers; needs Failure
      final class Numbers {
        var last: Int64
        init(after last: Int64) { self.last = last }

        func next() throws -> Int64? {
          guard last < .max else { throw Failure(reason: "there is no number after the greatest") }
          last += 1
          return last
        }
      }

      // piece: part
      /// A value as a part of a key: texts by their bytes, and 1.0 as 1.
      static func part(_ value: String?) -> AnyHashable? { value.map { Array($0.utf8) } }
      static func part(_ value: Double?) -> AnyHashable? {
        value.map { number in Int64(exactly: number).map { AnyHashable($0) } ?? AnyHashable(number) }
      }

      // piece: canonical; needs casefolded
      /// A text that equals all that differ in case and Unicode form only.
      static func canonical(_ value: String?) -> AnyHashable? { casefolded(value) }

      // piece: casefolded; needs trim
      /// A text in one case, as Unicode folds it, without white space at the ends.
      static func casefolded(_ value: String?) -> String? {
        guard let text = trim(value) else { return nil }
        guard text.unicodeScalars.contains(where: { !$0.isASCII }) else { return text.lowercased() }
        var folded = ""
        for scalar in text.unicodeScalars {
          folded += scalar.value == 0x131 ? String(scalar) : scalar.properties.lowercaseMapping.uppercased().lowercased()
        }
        return folded
      }

      // piece: integer
      static func integer<T: BinaryInteger>(_ value: T?) -> Int64? { value.flatMap { Int64(exactly: $0) } }

      // piece: real
      static func real<T: BinaryFloatingPoint>(_ value: T?) -> Double? { value.map { Double($0) } }
      static func real(_ value: Decimal?) -> Double? { value.map { NSDecimalNumber(decimal: $0).doubleValue } }
      static func real(_ value: Int64?) -> Double? { value.map { Double($0) } }

      // piece: whole
      static func whole(_ value: Bool?) -> Int64? { value.map { $0 ? 1 : 0 } }

      // piece: truth; needs Failure
      static func truth(_ value: Int64?) throws -> Bool? {
        guard let value else { return nil }
        guard value == 0 || value == 1 else { throw Failure(reason: "neither 0 nor 1") }
        return value == 1
      }

      // piece: seconds
      /// Seconds since 2001.
      static func seconds(_ value: Date?) -> Double? { value?.timeIntervalSinceReferenceDate }

      // piece: address
      static func address(_ value: URL?) -> String? { value?.absoluteString }

      // piece: fitted; needs Failure
      static func fitted<T: FixedWidthInteger>(_ value: Int64?, _ type: T.Type = T.self) throws -> T? {
        guard let value else { return nil }
        guard let fitted = T(exactly: value) else { throw Failure(reason: "out of range") }
        return fitted
      }

      // piece: single; needs Failure
      static func single(_ value: Double?) throws -> Float? {
        guard let value else { return nil }
        guard Float(value).isFinite else { throw Failure(reason: "out of range") }
        return Float(value)
      }

      // piece: decimal
      static func decimal(_ value: Double?) -> Decimal? { value.flatMap { Decimal(string: "\($0)") } }

      // piece: date
      static func date(_ value: Double?) -> Date? { value.map { Date(timeIntervalSinceReferenceDate: $0) } }

      // piece: plain; needs Failure
      static func plain(_ value: String?) throws -> String? {
        if value?.utf8.contains(0) == true { throw Failure(reason: "a text with a NUL character") }
        return value
      }

      // piece: url
      static func url(_ value: String?) -> URL? { value.flatMap { URL(string: $0) } }

      // piece: not
      static func not(_ value: Bool?) -> Bool? { value.map { !$0 } }

      // piece: both
      static func both(_ first: Bool?, _ second: @autoclosure () throws -> Bool?) rethrows -> Bool? {
        if first == false { return false }
        let second = try second()
        return second == false ? false : first == nil || second == nil ? nil : true
      }

      // piece: either
      static func either(_ first: Bool?, _ second: @autoclosure () throws -> Bool?) rethrows -> Bool? {
        if first == true { return true }
        let second = try second()
        return second == true ? true : first == nil || second == nil ? nil : false
      }

      // piece: compare
      /// -1, 0 or 1; texts are compared by their bytes.
      static func compare(_ left: Int64?, _ right: Int64?) -> Int? {
        guard let left, let right else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
      }
      static func compare(_ left: Double?, _ right: Double?) -> Int? {
        guard let left, let right else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
      }
      static func compare(_ left: Int64?, _ right: Double?) -> Int? {
        guard let left, let right else { return nil }
        guard let cut = Int64(exactly: right.rounded(.towardZero)) else { return right > 0 ? -1 : 1 }
        if left != cut { return left < cut ? -1 : 1 }
        let rest = right - Double(cut)
        return rest > 0 ? -1 : rest < 0 ? 1 : 0
      }
      static func compare(_ left: Double?, _ right: Int64?) -> Int? { compare(right, left).map { -$0 } }
      static func compare(_ left: String?, _ right: String?) -> Int? {
        guard let left, let right else { return nil }
        let (first, second) = (Array(left.utf8), Array(right.utf8))
        return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
      }
      static func compare(_ left: Bool?, _ right: Bool?) -> Int? {
        guard let left, let right else { return nil }
        return left == right ? 0 : 1
      }
      static func compare(_ left: UUID?, _ right: UUID?) -> Int? {
        guard let left, let right else { return nil }
        return left == right ? 0 : 1
      }
      static func compare(_ left: Data?, _ right: Data?) -> Int? {
        guard let left, let right else { return nil }
        return left == right ? 0 : 1
      }

      // piece: add; needs whole64, finite
      static func add(_ left: Int64?, _ right: Int64?) throws -> Int64? {
        guard let left, let right else { return nil }
        return try whole64(left.addingReportingOverflow(right))
      }
      static func add(_ left: Double?, _ right: Double?) throws -> Double? {
        guard let left, let right else { return nil }
        return try finite(left + right)
      }

      // piece: subtract; needs whole64, finite
      static func subtract(_ left: Int64?, _ right: Int64?) throws -> Int64? {
        guard let left, let right else { return nil }
        return try whole64(left.subtractingReportingOverflow(right))
      }
      static func subtract(_ left: Double?, _ right: Double?) throws -> Double? {
        guard let left, let right else { return nil }
        return try finite(left - right)
      }

      // piece: multiply; needs whole64, finite
      static func multiply(_ left: Int64?, _ right: Int64?) throws -> Int64? {
        guard let left, let right else { return nil }
        return try whole64(left.multipliedReportingOverflow(by: right))
      }
      static func multiply(_ left: Double?, _ right: Double?) throws -> Double? {
        guard let left, let right else { return nil }
        return try finite(left * right)
      }

      // piece: divide; needs whole64, finite, Failure
      static func divide(_ left: Int64?, _ right: Int64?) throws -> Int64? {
        guard let left, let right else { return nil }
        guard right != 0 else { throw Failure(reason: "a division by zero") }
        return try whole64(left.dividedReportingOverflow(by: right))
      }
      static func divide(_ left: Double?, _ right: Double?) throws -> Double? {
        guard let left, let right else { return nil }
        guard right != 0 else { throw Failure(reason: "a division by zero") }
        return try finite(left / right)
      }

      // piece: remainder; needs finite, Failure
      static func remainder(_ left: Int64?, _ right: Int64?) throws -> Int64? {
        guard let left, let right else { return nil }
        guard right != 0 else { throw Failure(reason: "a division by zero") }
        return right == -1 ? 0 : left % right
      }
      static func remainder(_ left: Double?, _ right: Double?) throws -> Double? {
        guard let left, let right else { return nil }
        guard right != 0 else { throw Failure(reason: "a division by zero") }
        return try finite(left.truncatingRemainder(dividingBy: right))
      }

      // piece: negate; needs whole64
      static func negate(_ value: Int64?) throws -> Int64? {
        guard let value else { return nil }
        return try whole64(Int64(0).subtractingReportingOverflow(value))
      }
      static func negate(_ value: Double?) throws -> Double? { value.map { -$0 } }

      // piece: whole64; needs Failure
      static func whole64(_ result: (partialValue: Int64, overflow: Bool)) throws -> Int64 {
        guard !result.overflow else { throw Failure(reason: "a result beyond 64-bit integers") }
        return result.partialValue
      }

      // piece: finite; needs Failure
      static func finite(_ value: Double) throws -> Double {
        guard value.isFinite else { throw Failure(reason: "a result beyond what a number can hold") }
        return value
      }

      // piece: linear; needs finite
      static func linear(_ value: Double?, times factor: Double, plus offset: Double) throws -> Double? {
        guard let value else { return nil }
        return try finite(value * factor + offset)
      }

      // piece: unix; needs Failure
      /// Whole seconds since 1970, of seconds since 2001.
      static func unix(_ seconds: Double?) throws -> Int64? {
        guard let seconds else { return nil }
        guard let whole = Int64(exactly: (seconds + 978_307_200).rounded(.down)) else {
          throw Failure(reason: "a result beyond 64-bit integers")
        }
        return whole
      }

      // piece: truncated; needs Failure
      static func truncated(_ value: Double?) throws -> Int64? {
        guard let value else { return nil }
        guard let whole = Int64(exactly: value.rounded(.towardZero)) else {
          throw Failure(reason: "a result beyond 64-bit integers")
        }
        return whole
      }

      // piece: absolute; needs Failure
      static func absolute(_ value: Int64?) throws -> Int64? {
        guard let value else { return nil }
        guard value != .min else { throw Failure(reason: "a result beyond 64-bit integers") }
        return abs(value)
      }
      static func absolute(_ value: Double?) throws -> Double? { value.map { abs($0) } }

      // piece: rounded
      /// Halves are rounded away from 0.
      static func rounded(_ value: Double?, _ digits: Int64?) -> Double? {
        guard let value, let digits else { return nil }
        var scale = 1.0
        for _ in 0..<min(max(digits, 0), 15) { scale *= 10 }
        let scaled = (value * scale).rounded(.toNearestOrAwayFromZero)
        return scaled.isFinite ? scaled / scale : value
      }

      // piece: trim
      static func trim(_ value: String?) -> String? {
        guard let scalars = value?.unicodeScalars else { return nil }
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
          let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
      }

      // piece: lower
      static func lower(_ value: String?) -> String? { value?.lowercased() }

      // piece: upper
      static func upper(_ value: String?) -> String? { value?.uppercased() }

      // piece: length
      static func length(_ value: String?) -> Int64? { value.map { Int64($0.unicodeScalars.count) } }

      // piece: joined; needs limited
      static func joined(_ first: String?, _ second: String?) throws -> String? {
        guard let first, let second else { return nil }
        return try limited(first + second)
      }

      // piece: limited; needs Failure
      static func limited(_ text: String) throws -> String {
        guard text.utf8.count <= 1 << 24 else { throw Failure(reason: "a text of more than 16 MiB") }
        return text
      }

      // piece: substring
      /// Counts Unicode scalars from 1; positions before the first are ignored.
      static func substring(_ value: String?, _ start: Int64?, _ count: Int64? = .max) -> String? {
        guard let value, let start, let count else { return nil }
        let sum = start.addingReportingOverflow(max(count, 0))
        let end = sum.overflow ? Int64.max : sum.partialValue
        let scalars = value.unicodeScalars.dropFirst(Int(clamping: max(start, 1) - 1))
        return String(String.UnicodeScalarView(scalars.prefix(Int(clamping: max(0, end - max(start, 1))))))
      }

      // piece: replace; needs limited
      static func replace(_ value: String?, _ old: String?, _ new: String?) throws -> String? {
        guard let value, let old, let new else { return nil }
        let (text, old8, new8) = (Array(value.utf8), Array(old.utf8), Array(new.utf8))
        guard let first = old8.first else { return value }
        var (result, place): ([UInt8], Int) = ([], 0)
        while place < text.count {
          if text[place] == first, text[place...].starts(with: old8) {
            result += new8
            place += old8.count
          } else {
            result.append(text[place])
            place += 1
          }
        }
        return try limited(String(decoding: result, as: UTF8.self))
      }

      // piece: part
      /// What stands before the first mark; nil where there is none.
      static func part(_ value: String?, before mark: String?) -> String? {
        place(of: mark, in: value).map { String(decoding: $0.text[..<$0.place], as: UTF8.self) }
      }

      /// What stands after the first mark; nil where there is none.
      static func part(_ value: String?, after mark: String?) -> String? {
        place(of: mark, in: value).map { String(decoding: $0.text[($0.place + $0.count)...], as: UTF8.self) }
      }

      /// Where a mark begins, and how many bytes of UTF-8 it has.
      static func place(of mark: String?, in value: String?) -> (text: [UInt8], place: Int, count: Int)? {
        guard let value, let mark, !mark.isEmpty else { return nil }
        let (text, sought) = (Array(value.utf8), Array(mark.utf8))
        return text.indices.first { text[$0...].starts(with: sought) }.map { (text, $0, sought.count) }
      }

      // piece: number; needs digits
      /// The number in a text such as "-12.50" or "1e3"; nil for anything else.
      static func number(_ value: String?) -> Double? {
        guard let text = digits(value)?.text, let number = Double(text), number.isFinite else { return nil }
        return number
      }

      // piece: wholeNumber; needs digits
      /// The number in a text, if it has neither fraction nor exponent.
      static func wholeNumber(_ value: String?) -> Int64? {
        guard let (text, isWhole) = digits(value), isWhole else { return nil }
        return Int64(text)
      }

      // piece: digits; needs trim
      static func digits(_ value: String?) -> (text: String, isWhole: Bool)? {
        guard let value, value.utf8.count <= 1_000, let text = trim(value) else { return nil }
        var rest = Array(text.utf8)[...]
        // swift-format-ignore
        func skip(_ characters: String) { if let next = rest.first, characters.utf8.contains(next) { rest = rest.dropFirst() } }
        func count() -> Int {
          let count = rest.prefix { (48...57).contains($0) }.count
          rest = rest.dropFirst(count)
          return count
        }
        skip("+-")
        var found = count()
        let isWhole = rest.isEmpty
        if rest.first == 46 {
          skip(".")
          found += count()
        }
        guard (1...400).contains(found) else { return nil }
        if rest.first == 69 || rest.first == 101 {
          skip("eE")
          skip("+-")
          guard (1...5).contains(count()) else { return nil }
        }
        return rest.isEmpty ? (text, isWhole) : nil
      }

      // piece: text
      static func text(_ value: Int64?) -> String? { value.map { String($0) } }
      static func text(_ value: Double?) -> String? { value.map { String($0) } }
      static func text(_ value: Bool?) -> String? { value.map { $0 ? "true" : "false" } }
      static func text(_ value: UUID?) -> String? { value?.uuidString }

      // piece: isoDate
      /// ISO 8601 in UTC, of seconds since 2001, with milliseconds where there are some.
      static func isoDate(_ seconds: Double?) -> String? {
        guard let seconds, seconds.isFinite, abs(seconds) < 1e14 else { return nil }
        func divided(_ number: Int, by divisor: Int) -> (Int, Int) {
          let rest = ((number % divisor) + divisor) % divisor
          return ((number - rest) / divisor, rest)
        }
        func padded(_ number: Int, _ width: Int) -> String {
          let text = String(abs(number))
          return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let (whole, fraction) = divided(Int((seconds * 1000).rounded(.down)), by: 1000)
        let (days, time) = divided(whole, by: 86400)
        // Days since March 1 of the year 0, in eras of 400 years.
        let (era, day) = divided(days + 730_791, by: 146_097)
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let fullYear = year + era * 400 + (month <= 2 ? 1 : 0)
        let date = [
          ((0...9999).contains(fullYear) ? "" : fullYear < 0 ? "-" : "+") + padded(fullYear, 4), padded(month, 2),
          padded(dayOfYear - (153 * shifted + 2) / 5 + 1, 2),
        ].joined(separator: "-")
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return date + "T" + clock + (fraction == 0 ? "" : "." + padded(fraction, 3)) + "Z"
      }

      // piece: identifier
      static func identifier(_ value: String?) -> UUID? { value.flatMap { UUID(uuidString: $0) } }
    }
    """#,
]
