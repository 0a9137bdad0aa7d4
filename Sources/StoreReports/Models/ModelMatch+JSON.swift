import StoreDigests
import StoreModels
import StoreDataModel
import StoreJSON
import StoreText

/// `storedoctor.model-match/2`; its schema is `docs/schemas/model-match.json`.
extension ModelMatch: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.model-match/2")), ("tool", .object(["version": .string(toolVersion)])),
      ("store", store.json), ("answer", answerJSON), ("candidates", .array(candidates.map(\.json))),
      ("nearest", nearest.map(nearestJSON)),
      ("mappings", mappings.isEmpty ? nil : .array(mappings.map(json))), ("history", history?.json),
      ("notes", .array(notes.map(json))),
    ])
  }

  private var answerJSON: JSONValue {
    switch answer {
    case .version(let positions): .object([("kind", .string("version")), ("candidates", references(positions))])
    case .union(let positions): .object([("kind", .string("union")), ("candidates", references(positions))])
    case .part(let positions, let unaccounted):
      .object([
        ("kind", .string("part")), ("candidates", references(positions)), ("unaccounted", .strings(unaccounted)),
      ])
    case .none: .object([("kind", .string("none")), ("candidates", .array([]))])
    }
  }

  /// Candidates by index in `candidates`.
  private func references(_ positions: [Int]) -> JSONValue { .array(positions.map { .integer(Int64($0)) }) }

  private func nearestJSON(_ nearest: Nearest) -> JSONValue {
    .object([
      ("candidate", .integer(Int64(nearest.candidate))),
      ("changes", report(nearest).map { .array($0.changesEnteringHash) }),
    ])
  }

  private func json(_ mapping: Mapping) -> JSONValue {
    .object([
      ("path", .string(mapping.path)), ("basis", .string(mapping.unread.isEmpty ? "observed" : "assumed")),
      ("source", json(mapping.source)),
      ("destination", json(mapping.destination)),
    ])
  }

  private func json(_ side: Mapping.Side) -> JSONValue {
    .object([
      ("recorded", .integer(Int64(side.recorded))), ("isStore", .bool(side.isStore)),
      ("candidates", references(side.candidates)),
    ])
  }

  private func json(_ note: Note) -> JSONValue {
    let (kind, facts): (String, [(String, JSONValue?)]) =
      switch note {
      case .sameIdentifier(let candidate): ("same-identifier", [("candidates", references([candidate]))])
      case .equalVersions(let candidates): ("equal-versions", [("candidates", references(candidates))])
      case .sameSchema(let candidates): ("same-schema", [("candidates", references(candidates))])
      case .recordedHashesDiffer(let candidate, let entities):
        ("recorded-hashes-differ", [("candidates", references([candidate])), ("entities", .strings(entities))])
      case .cacheDiffers(let entities): ("cache-differs", [("entities", .nonEmpty(entities))])
      case .checksumInconsistent: ("checksum-inconsistent", [])
      case .missingVersion(_, let name): ("missing-version", [("version", .string(name))])
      case .mappingFitsNeither(let position): ("mapping-fits-neither", [("mapping", .integer(Int64(position)))])
      case .notDerived(let candidate, let message):
        ("not-derived", [("candidates", references([candidate])), ("message", .string(message))])
      case .faults(let candidate, let faults):
        ("faults", [("candidates", references([candidate])), ("faults", .strings(faults))])
      case .openRule(let candidate, let message):
        ("open-rule", [("candidates", references([candidate])), ("message", .string(message))])
      case .madeBySystem(let candidates, let message):
        ("made-by-system", [("candidates", references(candidates)), ("message", .string(message))])
      case .decidedByStore(let candidate, let message):
        ("decided-by-store", [("candidates", references([candidate])), ("message", .string(message))])
      }
    return .object([("kind", .string(kind))] + facts)
  }
}

extension ModelMatch.MatchedStore: JSONRepresentable {
  var json: JSONValue {
    .object(identity.members + [("hashes", hashes.json)])
  }
}

extension ModelMatch.Candidate: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("path", .string(path)), ("source", .string(source)), ("current", .bool(isCurrent)),
      ("versionIdentifiers", .strings(identifiers)),
      ("checksum", .optional(isKnown ? base64(hashes.checksum) : nil)),
      ("comparison", comparison.json),
    ])
  }
}

extension HashComparison: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("isEqual", .bool(isEqual)), ("equal", .strings(equal)), ("different", .strings(different)),
      ("onlyInStore", .strings(onlyInStore)), ("onlyInModel", .strings(onlyInModel)),
      ("unknown", .nonEmpty(unknown)), ("mayHaveMore", .whenTrue(mayHaveMore)),
    ])
  }
}

extension HistoryMatch: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("repository", .string(repository)), ("commits", .integer(Int64(commits))), ("models", .integer(Int64(models))),
      ("matches", .array(matches.map(\.json))), ("nearest", nearest?.json),
      (
        "unreadable",
        .array(
          unreadable.map {
            .object([("path", .string($0.path)), ("object", .string($0.object)), ("reason", .string($0.reason))])
          })
      ), ("isShallow", isShallow ? .bool(true) : nil), ("isWhole", .bool(isWhole)),
      ("sourceProblem", .optional(sourceProblem)),
    ])
  }
}

extension HistoryMatch.Match: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)), ("object", .string(object)), ("name", .string(name)),
      ("versionIdentifiers", .strings(identifiers)), ("comparison", comparison.json),
      ("introduced", .array(introduced.map(\.json))), ("ended", .array(ended.map(\.json))), ("tags", .strings(tags)),
    ])
  }
}

extension HistoryMatch.Commit: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("id", .string(id)), ("time", time.map { .string(DateText.text(secondsSince1970: Int($0))) }),
      ("subject", .string(subject)),
    ])
  }
}

extension VersionHashes {
  /// Entity name to 64 hex digits.
  var json: JSONValue { .object(byEntity.mapValues { .string($0.description) }) }
}
