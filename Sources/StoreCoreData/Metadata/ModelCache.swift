import StoreDataModel
import StorePropertyLists

/// The model in a store's `Z_MODELCACHE`, or why there is none.
package enum ModelCache: Sendable, Equatable {
  case model(Model)
  /// No table, as in every store up to framework 519.
  case absent
  /// The table exists but has no row, or NULL in it.
  case empty
  /// Content that cannot be decoded, with the reason.
  case unreadable(String)

  /// The model, if there is one.
  package var model: Model? { if case .model(let model) = self { model } else { nil } }

  /// The most bytes a cache may inflate to; the largest real one (Photos) has 1.1 MB.
  static let inflatedLimit = 64 << 20

  /// The content is raw DEFLATE of a keyed archive whose `root` is the whole model (in 398 of 398 stores).
  package init(content: [UInt8]) {
    do {
      let archive = try KeyedArchive(RawDeflate.inflate(content, limit: Self.inflatedLimit))
      self = .model(try ModelArchive.model(from: archive))
    } catch {
      self = .unreadable(String(describing: error))
    }
  }
}
