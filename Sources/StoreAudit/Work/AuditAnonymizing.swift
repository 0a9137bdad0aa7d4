import StoreAnonymizing
import StoreCoreData
import StoreDiagnosis
import StorePublishing
import StoreSQLite
import StoreWords

/// How an audit writes a copy of each store that has nobody's values.
package struct AuditAnonymizing: Sendable {
  /// The folder for the copies.
  package var outputFolder: PosixPath
  /// What a person decided about attributes.
  package var policy: AnonymizingPolicy
  /// What becomes of lengths.
  package var sizes: AnonymizingSizes
  /// How many objects of each entity to copy at most; nil for all.
  package var sample: Int?
  /// The keys of the run.
  package var keys: Keys
  /// The message of an error that prevented a copy.
  package var message: @Sendable (any Error) -> String

  /// The secrets of a run; its workers get them by their environment, and they are in no file.
  package struct Keys: Sendable, Equatable {
    /// Decides about the names of copies.
    package var naming: MappingKey
    /// Decides about the values of all copies; nil where each has a key of its own.
    package var mapping: MappingKey?

    /// New keys.
    ///
    /// - Parameter isOne: whether one mapping is for all copies.
    package static func random(isOne: Bool) -> Keys { Keys(naming: .random(), mapping: isOne ? .random() : nil) }

    /// The variable that hands them to workers.
    package static let variable = "STOREDOCTOR_AUDIT_KEYS"

    /// As text, for that variable.
    package var text: String { naming.text + (mapping?.text ?? "") }
  }

  /// Copies in a folder.
  package init(
    to outputFolder: PosixPath, policy: AnonymizingPolicy = AnonymizingPolicy(), sizes: AnonymizingSizes = .exact,
    sample: Int? = nil, keys: Keys, message: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.outputFolder = outputFolder
    self.policy = policy
    self.sizes = sizes
    self.sample = sample
    self.keys = keys
    self.message = message
  }

  /// Its contents as text, for telling runs apart; the keys, which are others each time, are no part of it.
  var text: String {
    let decisions = policy.decisions.sorted { codeUnitsPrecede($0.key, $1.key) }.map {
      "\($0.key) \($0.value.rawValue)"
    }
    return
      (["\(outputFolder)", sizes.rawValue, sample.map { "\($0)" } ?? "all", keys.mapping == nil ? "each" : "one"]
      + decisions).joined(separator: "\n")
  }

  /// Writes and proves the copy of a store. What prevents it is part of the result.
  ///
  /// - Throws: errors that end the reading of a store.
  func carryOut(
    on store: Store, item: AuditItem, diagnosis: DiagnosisOptions, onStage: (AuditStage) -> Void
  ) throws -> AuditedStore.Copy {
    onStage(.anonymizing)
    do {
      var diagnosis = diagnosis
      diagnosis.examples = 0
      let output = outputFolder.appending(component: Array("store-\(keys.naming.name(for: item.key)).sqlite".utf8))
      let options = AnonymizingOptions(
        policy: policy, sizes: sizes, sample: sample, diagnosis: diagnosis, key: keys.mapping ?? .random(),
        ignoresWAL: store.wal.map { !$0.isRead } ?? false)
      let result = try anonymize(store, to: OutputTarget(output, protected: [item.location]), options)
      return .init(output: output.description, replacedValues: result.proof.replacedValues)
    } catch let error as StoreError {
      throw error
    } catch {
      return .init(failure: item.shownText(message(error)))
    }
  }
}

extension AuditAnonymizing.Keys {
  /// The keys that were handed over.
  package init?(text: String) {
    guard let naming = MappingKey(text: String(text.prefix(32))) else { return nil }
    let rest = String(text.dropFirst(32))
    self.init(naming: naming, mapping: rest.isEmpty ? nil : MappingKey(text: rest))
    if !rest.isEmpty, mapping == nil { return nil }
  }
}
