/// Why a text is no pattern of LIKE or MATCHES, or one that is not evaluated here.
struct PatternError: Error {
  /// The scalar's position in the pattern, from 1 on.
  var position: Int
  var message: String
}
