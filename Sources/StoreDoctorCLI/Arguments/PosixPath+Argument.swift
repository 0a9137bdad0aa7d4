import StorePlatform
import StoreSQLite

extension PosixPath {
  /// The folder for temporary files.
  static var forTemporaryFiles: PosixPath {
    PosixPath(getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp")
  }

  /// The path given as an argument, byte for byte.
  ///
  /// Arguments reach the program as text, in which bytes that are not UTF-8 have been replaced, so that the text is
  /// another file's path. The bytes are looked up among the original arguments.
  init(argument: String) {
    self.init(argument)
    guard argument.unicodeScalars.contains("\u{FFFD}") else { return }
    for pointer in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
      guard let pointer else { continue }
      let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
      if String(decoding: bytes, as: UTF8.self) == argument { self.init(bytes: Array(bytes)) }
    }
  }
}
