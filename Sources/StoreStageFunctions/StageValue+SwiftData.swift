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
