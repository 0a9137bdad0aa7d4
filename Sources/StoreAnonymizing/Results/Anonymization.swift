import StoreDiagnosis
import StoreFindings

/// A copy without anybody's data, and the proof of it: `storedoctor.anonymization/1`.
package struct Anonymization: Sendable, Equatable {
  /// The store, as its path was given.
  package var store: String
  /// The copy, as its path was given.
  package var output: String
  /// What became of the lengths of texts and bytes.
  package var sizes: AnonymizingSizes
  /// Which part of the store was copied; nil for all of it.
  package var sample: Sample?
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

  /// What a copy has of a store of which it is a part.
  package struct Sample: Sendable, Equatable {
    /// How many objects of each entity were asked for, at most.
    package var limit: Int
    /// How many there are; more than asked for where others need them, or where findings name them.
    package var entities: [Entity]
    /// Links to objects that were left out, which are NULL.
    package var cutLinks: Int64
    /// Rows of all tables that were left out.
    package var leftOutRows: Int64
    /// Findings of the store that the copy has not, by check, entity and property: "SD401 Note.folder".
    package var missing: [String]

    /// The objects of an entity.
    package struct Entity: Sendable, Equatable {
      /// Its name.
      package var name: String
      /// Its objects in the copy.
      package var objects: Int64
      /// Its objects in the store.
      package var of: Int64
    }
  }

  /// That the copy has the same faults, and nothing of the values.
  package struct Proof: Sendable, Equatable {
    /// Findings of the diagnosis that both have, by check, entity, property and count; of a sample without count.
    package var findings: Int
    /// The ids of findings that are about the files beside the store, its log and its free pages, which a copy has not.
    package var notCompared: [String]
    /// For each version of the models that were given the verdict, the same of both.
    package var verdicts: [Verdict]
    /// Keys, links, entity numbers and other values that were compared one by one and are the same.
    package var keptValues: Int64
    /// Values that were replaced.
    package var replacedValues: Int64
    /// Of these, values whose length in bytes is another: archives that were written anew, and with rough sizes whatever did not
    /// end its class.
    package var otherLengths: Int64
    /// With rough sizes, values that have a length they had, which is not the end of a class; nil with exact ones.
    package var keptLengths: Int64?
    /// Runs of replaced values, equal ones counted again.
    package var runs: Int64
    /// Bytes of the copy and its external files in which they were looked for.
    package var searchedBytes: Int64
    /// Runs that a kept value has, too: names of the schema, of classes, kept attributes.
    package var runsOfKeptValues: Int
    /// Runs that chance made across two values, or across what separates values in a page, and that are in none.
    package var runsAcrossValues: Int
    /// Runs that chance made within a number, and that are in no text and no data.
    package var runsInNumbers: Int

    /// Runs that are in the copy and in none of its texts and data.
    package var runsByChance: Int64 { Int64(runsAcrossValues) + Int64(runsInNumbers) }

    /// What opening with a version of a model would do.
    package struct Verdict: Sendable, Equatable {
      /// The version's name.
      package var version: String
      /// The word for the verdict.
      package var verdict: String
      /// Of a sample: the store's, where it is another.
      package var ofStore: String?
    }
  }

  /// What such a copy is not, to be said wherever it is shown.
  package var caution: String {
    "a pseudonymised copy, not an anonymous one in the law's sense: numbers of rows, links, "
      + (sizes == .rough ? "classes of length of texts" : "lengths of texts")
      + ", the times between dates and rare combinations can tell those who know the data whose it is"
  }
}

/// What is asked for.
package struct AnonymizingOptions: Sendable {
  /// What a person decided.
  package var policy: AnonymizingPolicy
  /// What becomes of the lengths of texts and bytes.
  package var sizes: AnonymizingSizes
  /// How many objects of each entity to copy at most; nil for all.
  package var sample: Int?
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
    policy: AnonymizingPolicy = AnonymizingPolicy(), sizes: AnonymizingSizes = .exact, sample: Int? = nil,
    diagnosis: DiagnosisOptions = DiagnosisOptions(),
    key: MappingKey = .random(), ignoresWAL: Bool = false
  ) {
    self.policy = policy
    self.sizes = sizes
    self.sample = sample
    self.diagnosis = diagnosis
    self.key = key
    self.ignoresWAL = ignoresWAL
  }
}
