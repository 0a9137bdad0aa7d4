/// Why a text is no pattern of LIKE or MATCHES, or one that is not evaluated here.
package struct PatternError: Error, Equatable, CustomStringConvertible {
  /// The scalar's position in the pattern, from 1 on.
  package var position: Int
  package var reason: Reason

  /// What is wrong, and where.
  package var description: String { "\(reason.sentence), at character \(position)" }

  init(_ reason: Reason, at position: Int = 1) {
    self.reason = reason
    self.position = position
  }

  /// What it is about.
  package enum Reason: Equatable, Hashable {
    case tooLarge
    case countsOfCounts
    case unopenedGroup, unclosedGroup, deepGroups
    case possessive
    case repeatedRepetition
    case descendingCount
    case nothingToRepeat(Unicode.Scalar)
    case brace(Unicode.Scalar)
    case look, atomicGroup, comment, unnamedGroup, repeatedName, flags
    case backReference
    case property
    case lastBackslash
    case character(Unicode.Scalar)
    case escape(Unicode.Scalar)
    case descendingRange, rangeToClass
    case unclosedSet, setOperation
    case longLike
  }
}

extension PatternError.Reason {
  /// Completes "the pattern has …".
  package var noun: String {
    switch self {
    case .tooLarge: "more than \(TextPattern.maximumNodes) places"
    case .countsOfCounts: "counts of counts beyond measure"
    case .unopenedGroup: "a closing bracket without an opening one"
    case .unclosedGroup: "an opening bracket without a closing one"
    case .deepGroups: "more than \(PatternParser.maximumDepth) groups in one another"
    case .possessive: "a possessive quantifier"
    case .repeatedRepetition: "a quantifier after a quantifier"
    case .descendingCount: "a count whose end is before its beginning"
    case .nothingToRepeat: "a quantifier with nothing before it"
    case .brace: "an opening brace that is no count"
    case .look, .atomicGroup, .comment, .unnamedGroup, .flags: "a group of the form '(?'"
    case .repeatedName: "two groups of one name"
    case .backReference: "a back-reference"
    case .property: "a property other than a category"
    case .lastBackslash: "a backslash at its end"
    case .character: "an escape for a character that is none"
    case .escape(let letter): "the escape '\\\(letter)'"
    case .descendingRange: "a range whose end is before its beginning"
    case .rangeToClass: "a range that ends with a class"
    case .unclosedSet: "a class without end"
    case .setOperation: "an operation on a class that is none"
    case .longLike: "more than \(LikePattern.maximumLength) characters"
    }
  }

  /// A clause that says what is wrong, and where possible what can be written instead.
  package var sentence: String {
    switch self {
    case .tooLarge, .countsOfCounts:
      "the pattern is too large: more than \(TextPattern.maximumNodes) steps with repetitions"
    case .unopenedGroup: "no parenthesis was opened before this one"
    case .unclosedGroup: "this group is not closed"
    case .deepGroups: "more than \(PatternParser.maximumDepth) levels of groups"
    case .possessive: "possessive repetition is not evaluated here; use it without the second +"
    case .repeatedRepetition: "a repetition of a repetition; group it with (?:…)"
    case .descendingCount: "a repetition has the smaller number first"
    case .nothingToRepeat(let sign): "nothing stands before this \(sign)"
    case .brace(let brace): "{2}, {2,} or {2,5} is expected; a brace itself is \\\(brace)"
    case .look: "look-ahead and look-behind are not evaluated here: their time has no bound; use AND and NOT"
    case .atomicGroup: "atomic groups are not evaluated here; use (?:…)"
    case .comment: "comments are not evaluated here"
    case .unnamedGroup: "the group's name is no name, or has no '>'"
    case .repeatedName: "another group has this name"
    case .flags: "of flags only i, m and s are evaluated here, as in (?i)"
    case .backReference: "back-references are not evaluated here: their time has no bound"
    case .property: "\\p{…} knows the general categories, such as L, Lu, N, Nd, P"
    case .lastBackslash: "the pattern ends with a backslash"
    case .character(let letter): "\\\(letter) is followed by hexadecimal digits of a character"
    case .escape(let letter): "\\\(letter) is not evaluated here"
    case .descendingRange: "the range is the wrong way round"
    case .rangeToClass: "a range ends with a character"
    case .unclosedSet: "this set is not closed with ']'"
    case .setOperation: "an operation on sets has a set on both sides"
    case .longLike: "a pattern of LIKE has at most \(LikePattern.maximumLength) characters"
    }
  }
}
