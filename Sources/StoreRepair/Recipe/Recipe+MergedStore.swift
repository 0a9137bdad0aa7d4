import StoreDataModel

extension Recipe {
  /// Another store of the same model, whose objects are taken into this one.
  package struct MergedStore: Sendable, Equatable {
    /// The other store, as it was named.
    package var from: String
    /// For entities and their subentities the attributes whose values tell which objects are the same in both.
    package var by: [String: [String]]
    /// For entities and their subentities the attribute of the two objects that are the same whose later value decides which
    /// one counts where they differ.
    package var newest: [String: String]
    /// Which one counts for all other entities; nil where they must not differ.
    package var keep: Side?
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// The two stores.
    package enum Side: String, Sendable, CaseIterable {
      /// The store that is changed.
      case new
      /// The store whose objects are taken.
      case old
    }

    /// By default objects are the same by what is unique, or by their keys, and must not differ.
    package init(
      from: String, by: [String: [String]] = [:], newest: [String: String] = [:], keep: Side? = nil, line: Int? = nil
    ) {
      (self.from, self.by, self.newest, self.keep, self.line) = (from, by, newest, keep, line)
    }
  }
}
