// Generated stages have these functions written out: scripts/embed-swift puts this file's text into StoreSwiftCode. A piece
// is what follows a comment that names it; `needs` are the pieces that it calls.

#if canImport(SwiftData)
  import SwiftData
  import Foundation

  extension StageValue {
    // piece: inOrder; needs key
    /// The objects of a class in the order of their keys, read from the store 500 at a time.
    static func inOrder<T: PersistentModel>(_ type: T.Type, _ context: ModelContext) throws -> some Sequence<T> {
      let objects = try context.fetch(FetchDescriptor<T>(), batchSize: 500)
      var places: [(key: Int64, place: Int)] = []
      for place in 0..<objects.count { places.append((try key(of: objects[place]), place)) }
      return places.sorted { $0.key < $1.key }.lazy.map { objects[$0.place] }
    }

    // piece: key; needs Failure
    /// The key of an object, which a migration keeps. How an identifier is encoded was observed, and is not documented:
    /// one of another form stops the migration.
    static func key(of object: some PersistentModel) throws -> Int64 {
      let text = String(decoding: try JSONEncoder().encode(object.persistentModelID), as: UTF8.self)
      // swift-format-ignore
      guard let place = text.range(of: "\"primaryKey\":\"p"), let key = Int64(text[place.upperBound...].prefix { $0.isNumber })
      else { throw Failure(reason: "the identifier of an object has a form that is not known") }
      return key
    }
  }
#endif
