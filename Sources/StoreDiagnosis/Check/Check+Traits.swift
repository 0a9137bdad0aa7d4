extension Check {
  /// Properties of a check that decide how its findings are treated.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The store cannot be opened or read completely: the verdict is `damaged` if the hashes are equal or no
    /// candidate is given.
    package static let damage = Self(rawValue: 1)
    /// SQLite's integrity check fails for pages or indexes.
    package static let pages = Self(rawValue: 2)
    /// It is about files beside the main file, which a copy does not have.
    package static let sideFiles = Self(rawValue: 4)
    /// The file cannot be read as a store at all.
    package static let unreadable = Self(rawValue: 8)
    /// It depends on rows not being found, which damaged pages may hide.
    package static let missingRows = Self(rawValue: 16)
    /// It counts rows; other checks count pages, files or entities.
    package static let rows = Self(rawValue: 32)
    /// A rule of the model that a repair must not break, whatever its severity.
    package static let standingRule = Self(rawValue: 64)
    /// It concerns the models the store may be opened with.
    package static let candidates = Self(rawValue: 128)
    /// It says that a model does not match; other checks say why.
    package static let restatement = Self(rawValue: 256)
    /// It says what data a successful migration drops.
    package static let losses = Self(rawValue: 512)
    /// It guesses how the file came to be from counters, free pages and the names around it, all of which a repair or
    /// a copy changes: it says nothing of what a repair did.
    package static let origin = Self(rawValue: 1024)
  }
}
