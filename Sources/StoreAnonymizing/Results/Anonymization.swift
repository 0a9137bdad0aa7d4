import StoreDiagnosis
import StoreFindings

/// A copy without anybody's data, and the proof of it: `storedoctor.anonymization/1`.
package struct Anonymization: Sendable, Equatable {
  /// The store, as its path was given.
  package var store: String
  /// The copy, as its path was given.
  package var output: String
  /// Rows that were written, in all tables.
  package var rows: Int64
  /// What became of each attribute, by entity and name.
  package var attributes: [Attribute]
  /// What was replaced besides the attributes, and what was left out, a sentence each.
  package var notes: [String]
  /// Files with values beside the store that were written anew.
  package var externalFiles: Int
  /// What was compared and searched.
  package var proof: Proof

  /// What became of an attribute.
  package struct Attribute: Sendable, Equatable {
    /// "Note.title"; of a composite one "Room.size.width".
    package var name: String
    /// What was done.
    package var decision: AnonymizingPolicy.Decision
    /// Why; lower case, no full stop.
    package var why: String
    /// Values that are not NULL.
    package var values: Int64
    /// How many different values were kept, 1,001 for more than 1,000; nil where they were not kept.
    package var distinct: Int?
  }

  /// That the copy has the same faults, and nothing of the values.
  package struct Proof: Sendable, Equatable {
    /// Findings of the diagnosis that both have, by check, entity, property and count.
    package var findings: Int
    /// The ids of findings that are about the files beside the store, its log and its free pages, which a copy has not.
    package var notCompared: [String]
    /// For each version of the models that were given the verdict, the same of both.
    package var verdicts: [Verdict]
    /// Keys, links, entity numbers and other values that were compared one by one and are the same.
    package var keptValues: Int64
    /// Values that were replaced.
    package var replacedValues: Int64
    /// Of these, values whose length in bytes is another: archives that were written anew.
    package var otherLengths: Int64
    /// Runs of replaced values, equal ones counted again.
    package var runs: Int64
    /// Bytes of the copy and its external files in which they were looked for.
    package var searchedBytes: Int64
    /// Runs that a kept value has, too: names of the schema, of classes, kept attributes.
    package var runsOfKeptValues: Int
    /// Runs that stand across two values beside each other, and in none.
    package var runsAcrossValues: Int

    /// What opening with a version of a model would do.
    package struct Verdict: Sendable, Equatable {
      /// The version's name.
      package var version: String
      /// The word for the verdict.
      package var verdict: String
    }
  }

  /// What such a copy is not, to be said wherever it is shown.
  package static let caution =
    "a pseudonymised copy, not an anonymous one in the law's sense: numbers of rows, links, lengths of texts, the times between "
    + "dates and rare combinations can tell those who know the data whose it is"
}

/// What is asked for.
package struct AnonymizingOptions: Sendable {
  /// What a person decided.
  package var policy: AnonymizingPolicy
  /// How both stores are diagnosed, with the models whose verdicts have to be the same.
  package var diagnosis: DiagnosisOptions
  /// The secret of the run; a new one each time, except in tests.
  package var key: MappingKey
  /// Whether to read the main file without its log.
  package var ignoresWAL: Bool
  /// Called with what is being done.
  package var onProgress: (@Sendable (String) -> Void)?

  /// A new key, and no decisions.
  package init(
    policy: AnonymizingPolicy = AnonymizingPolicy(), diagnosis: DiagnosisOptions = DiagnosisOptions(),
    key: MappingKey = .random(), ignoresWAL: Bool = false
  ) {
    self.policy = policy
    self.diagnosis = diagnosis
    self.key = key
    self.ignoresWAL = ignoresWAL
  }
}
