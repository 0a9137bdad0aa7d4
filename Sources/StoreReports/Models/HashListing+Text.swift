import StoreDigests
import StoreText
import StoreWords
import StoreModels
import StoreDataModel

/// The spelling of hashes.
package enum HashSpelling: String, Sendable, CaseIterable {
  /// 64 lower-case hex digits.
  case hex
  /// As in property lists and Xcode's logs.
  case base64
  /// Swift source to paste into a test or a migration plan.
  case swift
}

/// Hashes as text: side by side for several versions, in full for one.
extension HashListing {
  /// - Parameters:
  ///   - spelling: nil for short hashes side by side where there are several versions, hex where there is one.
  package func text(width: Int, isStyled: Bool, spelling: HashSpelling? = nil) -> String {
    if spelling == .swift { return swiftSource }
    var page = Page(width: width, isStyled: isStyled)
    page.line(page.styled(headline, as: .strong))
    for group in equalVersions {
      page.paragraph(
        "\(group.map(quoted).joined(separator: " and ")) have the same checksum: "
          + "a staged migration with both is refused", first: "  ! ", style: .warning)
    }
    for group in sameSchemas {
      page.paragraph(
        "\(group.map(quoted).joined(separator: " and ")) are the same schema, used by \(group.count) containers",
        first: "  - ")
    }
    for version in versions { version.writeProblems(to: &page) }
    let showsOne = versions.count == 1 || spelling != nil
    if !showsOne { for version in versions { version.writeSystems(to: &page) } }
    if versions.count > 1 && spelling == nil {
      writeSideBySide(to: &page)
    } else {
      for version in versions { write(version, spelling: spelling ?? .hex, to: &page) }
    }
    writeDoubts(to: &page)
    writeUnproven(to: &page)
    return page.text
  }

  /// Each reason once, with its versions, since several can have the same classes.
  private func writeDoubts(to page: inout Page) {
    var reasons: [String] = []
    var names: [String: [String]] = [:]
    for version in versions {
      for doubt in version.doubts {
        if names[doubt.message] == nil { reasons.append(doubt.message) }
        names[doubt.message, default: []].append(quoted(version.name))
      }
    }
    for version in versions {
      for assumed in version.assumed {
        page.paragraph(
          "\(quoted(version.name)): \(escapedForTerminal(assumed)): its entity's hash rests on it", first: "  ? ",
          style: .warning)
      }
    }
    for reason in reasons {
      let concerned = (names[reason] ?? []).joined(separator: ", ")
      page.paragraph("\(concerned): \(escapedForTerminal(reason))", first: "  ? ", style: .warning)
    }
  }

  private var headline: String {
    let place = escapedForTerminal(path)
    if versions.count == 1, let only = versions.first {
      let known = only.hashes.byEntity.count
      let unknown = Set(only.doubts.compactMap(\.entity)).count
      let all = counted(Int64(known + unknown), "entity", "entities")
      return "\(place): \(unknown > 0 ? "\(known) of \(all) known" : all)"
    }
    return "\(place): \(counted(Int64(versions.count), "version")), "
      + (currentVersionName.map { "current \(quoted($0))" } ?? "which is current is not known")
  }

  /// Columns are numbered versions, so that any number of long names fits; "=" means the same hash as in the version
  /// before.
  private func writeSideBySide(to page: inout Page) {
    page.section("Versions")
    let numbers = versions.indices.map { String($0 + 1) }
    let nameWidth = versions.map { quoted($0.name).displayWidth }.max() ?? 0
    for (number, version) in zip(numbers, versions) {
      let current = version.name == currentVersionName ? "  current" : ""
      page.line(
        "  \(number.rightAligned(to: numbers.last?.count ?? 1))  \(quoted(version.name).padded(to: nameWidth))"
          + "  checksum \(version.doubts.isEmpty ? base64(version.hashes.checksum) : "not known")"
          + page.styled(current, as: .heading))
    }
    let nameColumn = min(entities.map { escapedForTerminal($0).displayWidth }.max() ?? 0, page.width / 3)
    let perBand = max(1, (page.width - nameColumn - 2) / 10)
    for start in stride(from: 0, to: versions.count, by: perBand) {
      let band = start..<min(start + perBand, versions.count)
      page.section("Version hashes, first 8 of 64 digits; = as in the version before")
      page.table(["entity"] + band.map { numbers[$0] }, rows: entities.map { row($0, band: band) })
    }
    page.line()
    for sentence in legend { page.paragraph(sentence, style: .faint) }
    page.line(page.styled("  whole hashes: --spelling hex, base64 or swift, or --entity NAME", as: .faint))
  }

  private func row(_ entity: String, band: Range<Int>) -> [String] {
    [escapedForTerminal(entity)]
      + band.map { position in
        guard let hash = versions[position].hashes.byEntity[entity] else {
          return versions[position].mayHave(entity) ? "?" : "-"
        }
        let before = position == 0 ? nil : versions[position - 1].hashes.byEntity[entity]
        return hash == before ? "=" : String(hash.description.prefix(8))
      }
  }

  /// The legend of the symbols in the table.
  private var legend: [String] {
    let missing = entities.flatMap { entity in
      versions.filter { $0.hashes.byEntity[entity] == nil }.map { $0.mayHave(entity) }
    }
    let current = versions.contains { $0.name == currentVersionName } ? currentBasis : nil
    return [
      missing.contains(false) ? "- the version has no such entity" : nil,
      missing.contains(true) ? "? the hash is not known, for the reason below" : nil, current.map { "current: \($0)" },
    ].compactMap(\.self)
  }

  private func write(_ version: Version, spelling: HashSpelling, to page: inout Page) {
    page.section(
      quoted(version.name)
        + (version.identifiers.filter { !$0.isEmpty }.isEmpty
          ? "" : ", identifiers \(version.identifiers.map(quoted).joined(separator: ", "))"))
    let spell: ([UInt8]) -> String = { spelling == .base64 ? base64($0) : hexadecimal($0) }
    let width = (entities.map { escapedForTerminal($0).displayWidth } + [8]).max() ?? 8
    for entity in entities {
      let hash = version.hashes.byEntity[entity]
      guard hash != nil || version.doubts.contains(where: { $0.entity == entity }) else { continue }
      let text = hash.map { spell($0.bytes) } ?? "? not known, for the reason below"
      page.line("  \(escapedForTerminal(entity).padded(to: width))  \(text)")
    }
    if version.doubts.isEmpty {
      page.line()
      page.line("  \("checksum".padded(to: width))  \(base64(version.hashes.checksum))")
      page.paragraph(base64(version.hashes.digest), first: "  \("digest".padded(to: width))  ")
    }
    for (position, system) in version.systems.enumerated() {
      let isShown = version.systems[..<position].contains { $0.hashes == system.hashes }
      write(system, isShown: isShown, width: width, spell: spell, to: &page)
    }
  }

  /// What other systems make of the same source.
  private func write(
    _ system: System, isShown: Bool, width: Int, spell: ([UInt8]) -> String, to page: inout Page
  ) {
    page.line()
    page.paragraph(system.words + (isShown ? "" : system.remedyWords), first: "  ! ", style: .warning)
    guard !isShown else { return }
    for entity in entities {
      guard let hash = system.hashes.byEntity[entity] else { continue }
      page.line("  \(escapedForTerminal(entity).padded(to: width))  \(spell(hash.bytes))")
    }
    guard let whole = system.whole else { return }
    page.line("  \("checksum".padded(to: width))  \(base64(whole.checksum))")
    page.paragraph(base64(whole.digest), first: "  \("digest".padded(to: width))  ")
  }

  private func writeUnproven(to page: inout Page) {
    let unproven = Set(versions.flatMap { $0.unproven.filter { entities.contains($0.key) }.values.joined() })
    guard !unproven.isEmpty else { return }
    page.line()
    page.paragraph(
      "computed by rules no real store has confirmed: \(unproven.map(\.rawValue).sorted().joined(separator: "; "))",
      style: .warning)
  }

  /// Source for a test, or for `NSManagedObjectModelReference`.
  private var swiftSource: String {
    versions.map { version in
      let hashes = entities.compactMap { entity in
        version.hashes.byEntity[entity].map {
          "  \(swiftLiteral(entity)): \"\(base64($0.bytes))\","
        }
      }
      return """
        // \(escapedForTerminal(version.name)): version hashes in base-64, and the checksum that
        // NSManagedObjectModelReference(name:in:versionChecksum:) takes
        let versionHashes: [String: String] = [
        \(hashes.joined(separator: "\n"))
        ]
        let versionChecksum = "\(base64(version.hashes.checksum))"

        """
    }.joined(separator: "\n")
  }
}

extension HashListing.Version {
  /// Whether an entity without a hash exists, or may exist.
  fileprivate func mayHave(_ entity: String) -> Bool { doubts.contains { $0.entity == entity || $0.entity == nil } }

  fileprivate func writeProblems(to page: inout Page) {
    if let first = faults.first {
      let more = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
      page.paragraph(
        "\(quoted(name)): \(escapedForTerminal(first))\(more)", first: "  ! ", style: .warning)
    }
    if let differing = recordedDifferently, !differing.isEmpty {
      page.paragraph(
        "\(quoted(name)): VersionInfo.plist records other hashes for \(differing.map(quoted).joined(separator: ", "))",
        first: "  ! ", style: .warning)
    } else if recordedChecksumEqual == false {
      page.paragraph("\(quoted(name)): VersionInfo.plist records another checksum", first: "  ! ", style: .warning)
    }
  }
}

extension HashListing.Version {
  /// A line for each system that makes another model of the same source.
  fileprivate func writeSystems(to page: inout Page) {
    for system in systems {
      page.paragraph("\(quoted(name)): \(system.words)\(system.remedyWords)", first: "  ! ", style: .warning)
    }
  }
}

/// A Swift string literal, with quotes, backslashes and unprintable characters escaped.
func swiftLiteral(_ text: String) -> String {
  let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  return "\"\(escapedForTerminal(escaped))\""
}

extension HashListing.System {
  /// "on iOS 17 and 18 (frameworks below 1420) the same classes are another model".
  fileprivate var words: String {
    let systems = "on \(frameworks.systems) (\(frameworks.numbers))"
    let names = hashes.names.sorted().map(escapedForTerminal)
    let shown = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", ..." : "")
    return isCertain
      ? "\(systems) the same classes are another model for \(shown)"
      : "\(systems) they may be, which no store has shown, another model for \(shown)"
  }

  /// "; inverse: \Page.note in Note.pages makes it one".
  fileprivate var remedyWords: String { remedy.map { "; \(escapedForTerminal($0))" } ?? "" }
}
