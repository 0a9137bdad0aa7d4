/// A stretch of a source file, as compilers name it and as editors cut it.
package struct SourcePlace: Sendable, Hashable, Comparable {
  /// The file's path, as it was given or found below what was given.
  package var file: String
  /// The line of the first byte, from 1.
  package var line: Int
  /// The column of the first byte, in UTF-8 bytes from 1.
  package var column: Int
  /// The first byte, from 0.
  package var offset: Int
  /// How many bytes of UTF-8.
  package var length: Int

  /// A place.
  package init(file: String, line: Int, column: Int, offset: Int, length: Int) {
    self.file = file
    self.line = line
    self.column = column
    self.offset = offset
    self.length = length
  }

  /// Order of files by name, then of bytes.
  package static func < (left: Self, right: Self) -> Bool {
    (left.file, left.offset, left.length) < (right.file, right.offset, right.length)
  }
}

extension SourcePlace: CustomStringConvertible {
  /// "Models/Note.swift:12:5"
  package var description: String { "\(file):\(line):\(column)" }
}
