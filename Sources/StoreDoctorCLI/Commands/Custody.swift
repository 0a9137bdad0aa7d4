import ArgumentParser
import StoreInspection
import StoreReports
import StoreSQLite

/// `storedoctor custody --verify FILE`.
struct Custody: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "custody",
    abstract: "Read the files of a custody record again, and say whether they are as recorded.",
    discussion: """
      Every command writes a record of its run with --custody FILE: the files it was given (of a store the side files and \
      the support folder too) with size, times, MD5, SHA-1 and SHA-256 before and after, the program's version and hash, \
      the arguments, start and end, and what was written. Here they are read again; a file that differs in one byte fails. \
      Relative paths are those of the working directory.

      Whoever can change the files can change the record. Keep its SHA-256, which is printed when it is written.

      EXIT STATUS
        0   every file is as recorded
        1   a file differs, or is missing
        2   could not read the record
        64  wrong usage

      EXAMPLES
        storedoctor inspect Notes.sqlite --custody notes-custody.json
        storedoctor custody --verify notes-custody.json
      """)

  @Option(help: ArgumentHelp("The record.", valueName: "file"), completion: .file())
  var verify: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    try reported {
      let verification = try verifyCustody(PosixPath(argument: verify))
      switch output.format {
      case .json: try standardOutput(verification.json.text)
      case .text: try standardOutput(verification.text(width: output.width, isStyled: output.isStyled))
      }
      if !verification.isEqual { throw ExitCode(1) }
    }
  }
}
