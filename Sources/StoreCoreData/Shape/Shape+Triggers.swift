extension Shape.Trigger {
  /// Whether Core Data may have made this trigger, judged by 45 stores with triggers.
  ///
  /// The body is not parsed. It is enough that it calls only SQLite's own functions and those that Core Data
  /// registers on its connections, `NSCoreData…`, so that it can reach nothing outside the database.
  package var isCoreDatas: Bool {
    Self.prefixes.contains { name.hasPrefix($0) }
      && calledFunctions.allSatisfy { Self.functions.contains($0) || $0.hasPrefix("nscoredata") }
  }

  /// Prefixes of derived attributes, R-trees, and the counters of Photos.
  private static let prefixes = ["Z_DA_", "Z_RT_", "ZT_"]

  /// Words that occur before a parenthesis in such triggers: functions, keywords and tables.
  private static let functions: Set<String> = [
    "avg", "count", "datetime", "date", "ifnull", "coalesce", "length", "lower", "max", "min", "sum", "total", "upper",
    "strftime", "cast", "abs", "round", "unixepoch", "julianday", "nullif", "substr", "trim",
    "and", "or", "not", "in", "exists", "values", "when", "where", "select", "then", "else", "on", "from", "join", "is",
    "case", "set", "as",
  ]

  /// The words before an opening parenthesis, in lower case, except tables after `INTO`.
  private var calledFunctions: Set<String> {
    var words: Set<String> = []
    var word: [UInt8] = []
    var previous: [UInt8] = []
    var isAfterSpace = false
    for byte in sql.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xff:
        if isAfterSpace {
          previous = word
          word = []
        }
        word.append(byte | (byte < 0x80 && byte > 0x40 && byte < 0x5b ? 0x20 : 0))
        isAfterSpace = false
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"): isAfterSpace = true
      case UInt8(ascii: "("):
        if !word.isEmpty, previous != Array("into".utf8) { words.insert(String(decoding: word, as: UTF8.self)) }
        (word, previous, isAfterSpace) = ([], [], false)
      default: (word, previous, isAfterSpace) = ([], [], false)
      }
    }
    return words
  }
}
