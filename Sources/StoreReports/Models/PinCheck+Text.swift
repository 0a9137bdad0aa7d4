import StoreWords
import StoreModels

/// A check of pins as text: the answer, then the changes, property by property.
extension PinCheck {
  /// The text for a terminal of `width` columns.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdict, first: "", style: .strong)
    for name in missing {
      page.paragraph("\(quoted(name)) is pinned and not in the model any more", first: "  ! ", style: .warning)
    }
    for version in moved { version.write(to: &page) }
    for version in undecided { version.write(to: &page, title: "as far as it is not known") }
    for version in conditions { version.write(to: &page, title: "as released only if it is read so") }
    for version in unpinnedParts { version.write(to: &page, title: "what its pin leaves out") }
    if !undecided.isEmpty {
      page.line()
      page.paragraph("where readings are open, a store that the version wrote decides: --store STORE")
    }
    if !unpinned.isEmpty {
      page.line()
      page.paragraph("not pinned: \(unpinned.map(quoted).joined(separator: ", "))")
    }
    if !moved.isEmpty {
      page.section("Next")
      page.paragraph(
        "put the released version back as it was and make the change in a new version; "
          + "stores in the field were made with the released one")
    }
    return page.text
  }

  /// The result in a sentence.
  package var verdict: String {
    let place = escapedForTerminal(path)
    guard !isKept else {
      let ifs = conditions.isEmpty ? "" : ", \(grouped(Int64(conditions.count))) of them in one of several readings"
      let parts = Set(unpinnedParts.map(\.name)).intersection(kept).count
      let part = parts == 0 ? "" : ", \(grouped(Int64(parts))) of them only as far as pinned"
      return "\(place): \(counted(Int64(kept.count), "pinned version")) as released\(ifs)\(part)"
    }
    var parts: [String] = []
    if !moved.isEmpty { parts.append("\(moved.map { quoted($0.name) }.joined(separator: ", ")) changed after release") }
    if !missing.isEmpty { parts.append("\(missing.map(quoted).joined(separator: ", ")) missing") }
    if !open.isEmpty {
      let names = open.map(quoted).joined(separator: ", ")
      parts.append("whether \(names) \(open.count == 1 ? "is" : "are") as released the source does not tell")
    }
    return "\(place): \(parts.joined(separator: "; "))"
  }
}

extension PinCheck.Undecided {
  fileprivate func write(to page: inout Page, title: String) {
    page.section("\(quoted(name)), \(title)")
    for reason in reasons { page.paragraph(escapedForTerminal(reason), first: "  ? ", style: .warning) }
  }
}

extension PinCheck.Moved {
  fileprivate func write(to page: inout Page) {
    page.section(quoted(name))
    for group in groups {
      page.line("  " + group.places.map(escapedForTerminal).joined(separator: ", "))
      page.paragraph(group.change.before.map(escapedForTerminal) ?? "not there", first: "    released  ")
      page.paragraph(group.change.now.map(escapedForTerminal) ?? "gone", first: "    now       ")
    }
  }

  /// Changes with their places; a change of an inherited property is listed once for all entities that inherit it.
  private var groups: [(places: [String], change: PinCheck.Change)] {
    var groups: [(places: [String], change: PinCheck.Change)] = []
    for change in changes {
      let place = change.property.map { "\(change.entity).\($0)" } ?? change.entity
      let same = groups.firstIndex {
        change.property != nil && $0.change.property == change.property && $0.change.before == change.before
          && $0.change.now == change.now
      }
      if let same { groups[same].places.append(place) } else { groups.append(([place], change)) }
    }
    return groups
  }
}
