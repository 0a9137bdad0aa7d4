import StoreFindings

/// An error number that Core Data, Cocoa or SQLite prints, and what it means for a store.
///
/// Numbers and names are Apple's; the causes come from documentation and reports, and `basis` says which.
package struct KnownError: Sendable, Equatable {
  /// The domain the number belongs to.
  package var domain: Domain
  /// The number.
  package var code: Int
  /// The name in Apple's or SQLite's headers; nil where none is public.
  package var symbol: String?
  /// Its meaning, in a sentence or two.
  package var cause: String
  /// The traces of it in the store's file; nil if there are none.
  package var inFile: String?
  /// Checks that look for the cause, by id.
  package var checks: [String]
  /// The evidence: named in several bindings of the header (`documented`), seen in a log (`observed`), or common
  /// knowledge (`assumed`).
  package var basis: Basis

  /// An error domain.
  package enum Domain: String, Sendable {
    /// `NSCocoaErrorDomain`.
    case cocoa = "NSCocoaErrorDomain"
    /// `NSSQLiteErrorDomain`: SQLite's result codes.
    case sqlite = "NSSQLiteErrorDomain"
  }

  init(
    _ domain: Domain, _ code: Int, _ symbol: String?, _ cause: String, inFile: String? = nil, checks: [CheckID] = [],
    basis: Basis = .documented
  ) {
    self.domain = domain
    self.code = code
    self.symbol = symbol
    self.cause = cause
    self.inFile = inFile
    self.checks = checks.map(\.rawValue)
    self.basis = basis
  }
}

extension KnownError {
  /// All known errors: Cocoa's, then SQLite's.
  package static let all: [KnownError] = validation + stores + migration + staged + files + sqlite + sqliteDocumented

  /// The known errors with that number, in any domain.
  package static func numbered(_ code: Int) -> [KnownError] {
    let known = all.filter { $0.code == code }
    return known.isEmpty ? [mirroring(code)].compactMap(\.self) : known
  }

  /// The known error with that number in a domain. An extended code of SQLite that is not known is at least its primary
  /// one.
  package static func numbered(_ code: Int, in domain: Domain) -> KnownError? {
    all.first { $0.domain == domain && $0.code == code }
      ?? (domain == .sqlite ? extended(code) : mirroring(code))
  }

  /// A number between those that mirroring to CloudKit is known to give.
  private static func mirroring(_ code: Int) -> KnownError? {
    guard (134400...134422).contains(code) else { return nil }
    return KnownError(
      .cocoa, code, nil,
      "It has no public name. Its number lies among those of mirroring to CloudKit, which stand for an account, a zone or "
        + "a request and not for the store: what is in it stays, and its objects are saved. The sentence beside the number, "
        + "and NSUnderlyingErrorKey, say more.", basis: .assumed)
  }

  /// An extended code of SQLite: the primary one, plus 256 times a number.
  private static func extended(_ code: Int) -> KnownError? {
    guard code > 0xFF, code <= 0xFFFF, var error = all.first(where: { $0.domain == .sqlite && $0.code == code & 0xFF })
    else { return nil }
    error.cause = "A kind of \(error.symbol ?? "code") (\(error.code)). " + error.cause
    (error.code, error.symbol) = (code, nil)
    return error
  }

  /// The known errors with that symbol.
  package static func named(_ symbol: String) -> [KnownError] { all.filter { $0.symbol == symbol } }
}
