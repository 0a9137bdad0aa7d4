import StoreFindings
import StoreModels
import StoreWords

extension Check {
  static let mergedModel = Check(
    .mergedModel, "merged-model", .note, traits: [.candidates],
    summary: "The store was made with several models merged into one.",
    explanation: """
      ## What it looks for
      Models given of which each has a part of the store's entities, all with the store's hashes, and none has them all.

      ## Why it matters
      An app that merges the models of its bundles opens the store with what they are together. Held against one of them
      alone the store seems to be of another version, with entities that are gone.

      ## Example
      `Main.momd` and `Cache.momd` have three entities each, and the store six.

      ## What can be done
      Give all models of the app, each with `--model`. To part with merging give each model a store of its own.
      """,
    ofCandidates: { view in
      let names = view.candidates.list.versions.map(\.label)
      switch view.candidates.merged {
      case .union(let parts):
        return [
          view.check.finding(
            nil, message: "\(namedVersions(parts.map { names[$0] })) merged into one are the store's model")
        ]
      case .part(let parts, let rest) where !rest.isEmpty:
        let shown = rest.prefix(5).map(quoted).joined(separator: ", ") + (rest.count > 5 ? ", ..." : "")
        return [
          view.check.finding(
            nil,
            message:
              "\(namedVersions(parts.map { names[$0] })) is in the store whole, beside \(counted(Int64(rest.count), "entity", "entities")) "
              + "of a model that was not given (\(shown)), or of an older version", basis: .assumed)
        ]
      case .part, .version, .none: return []
      }
    })
}
