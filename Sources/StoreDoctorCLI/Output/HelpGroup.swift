/// The titles under which help and man pages list options; what has none is the command's own, and stands first.
enum HelpGroup {
  /// The objects that are shown.
  static let objects = "Which objects"
  /// The models that the app may open a store with.
  static let model = "The model it is to open with"
  /// What describes the store where it does not describe itself.
  static let description = "The model that describes the store"
  /// Which of its states is read.
  static let state = "Which state of the store"
  /// A stretch of time.
  static let period = "Which time"
  /// The checks, and how they look.
  static let checks = "What is looked for"
  /// The stages of the app's plan.
  static let plan = "The app's plan"
  /// Where the result goes, for commands that write a store.
  static let place = "Where to write"
  /// What is done only when it is asked for.
  static let allowed = "What is allowed"
  /// How a model is read: what Swift source leaves open, and the store whose log is read.
  static let source = "How the model is read"
  /// Files of settings.
  static let settings = "Settings"
  /// How the answer is written.
  static let output = "How the result is written"
  /// The custody record, which each command lists last.
  static let record = "A record of the run"
}
