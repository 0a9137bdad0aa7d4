import ArgumentParser
import StorePlatform

/// The program that reads SwiftData source for `storedoctor`, which starts it and reads its JSON. It is a program of its
/// own because the parser it has takes minutes to build, and because source of strangers may bring a parser down.
@main
struct StoreDoctorSwiftData: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storedoctor-swiftdata",
    abstract: "Read SwiftData source for storedoctor.",
    discussion: """
      EXIT STATUS
        0   done
        2   could not do the work; the message on standard error says why and what to do
        64  wrong usage
      """,
    subcommands: [Read.self, States.self, Lint.self, Copy.self])

  /// Does what ArgumentParser's `main` does, after the policy that holds for all files it reads, whoever starts it.
  static func main() {
    Platform.keepAccessTimes()
    main(nil)
  }
}
