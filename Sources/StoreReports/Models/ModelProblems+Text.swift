import StoreFindings
import StoreModels
import StoreWords

/// The problems of a model, as a person reads them: the answer, then problem by problem, each once.
extension ModelProblems {
  /// The text for a terminal of `width` columns.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdict, first: "", style: .strong)
    for kind in Kind.allCases {
      let groups = groups(of: kind)
      guard !groups.isEmpty else { continue }
      page.section(kind.title)
      for group in groups {
        page.paragraph(escapedForTerminal(group.message), first: "  \(kind.severity.mark) ")
        if versions.count > 1 { page.paragraph("in \(listed(group.versions))", indent: 6) }
      }
    }
    return page.text
  }

  /// The answer in a sentence.
  package var verdict: String {
    let known = counted(Int64(versions.count), "version")
    let shown = Kind.allCases.map { (severity: $0.severity, count: groups(of: $0).count) }
    let all = shown.map(\.count).reduce(0, +)
    let severities = [Severity.error, .warning, .note].compactMap { severity -> String? in
      let count = shown.filter { $0.severity == severity }.map(\.count).reduce(0, +)
      return count == 0 ? nil : counted(Int64(count), severity.rawValue)
    }
    return "\(escapedForTerminal(path)): \(known), "
      + (all == 0 ? "nothing wrong found" : severities.joined(separator: ", "))
  }

  private func listed(_ names: [String]) -> String {
    if names.count == versions.count { return "every version" }
    let shown = names.prefix(Self.shownVersions).map(quoted).joined(separator: ", ")
    return names.count > Self.shownVersions ? "\(shown) and \(names.count - Self.shownVersions) more" : shown
  }

  private static let shownVersions = 8

  /// A problem is usually in many versions; it is said once.
  private func groups(of kind: Kind) -> [(message: String, versions: [String])] {
    if let group = groupOfPlaces(kind) { return [group] }
    var order: [String] = []
    var names: [String: [String]] = [:]
    for version in versions {
      for problem in version.problems where problem.kind == kind {
        if names[problem.message] == nil { order.append(problem.message) }
        if names[problem.message]?.last != version.name { names[problem.message, default: []].append(version.name) }
      }
    }
    return order.map { ($0, names[$0] ?? []) }
  }

  /// A problem of several properties is said once for all versions, although not every version has it at all of them.
  private func groupOfPlaces(_ kind: Kind) -> (message: String, versions: [String])? {
    var seen: Set<[String]> = []
    var places: [Place] = []
    var names: [String] = []
    // The newest version comes first: it has what the project still has, under the names of today.
    for version in versions.reversed() {
      let own = version.problems.filter { $0.kind == kind }.flatMap(\.places)
      if !own.isEmpty { names.append(version.name) }
      for place in own where seen.insert([place.entity, place.property]).inserted { places.append(place) }
    }
    guard !places.isEmpty else { return nil }
    return (ModelProblems.Problem.message(of: kind, places: places), names.reversed())
  }
}

extension ModelProblems.Kind {
  /// The title for all problems of the kind.
  fileprivate var title: String {
    switch self {
    case .unreadableVersion: "Versions that cannot be read"
    case .missingVersion: "Versions that are named and not there"
    case .notKnownWhole: "Not known whole"
    case .outdatedMapping: "Mapping models that are out of date: a migration that needs them stops with 134140"
    case .unreadableMapping: "Mapping models that could not be looked at"
    case .missingDestination: "Destination missing: Xcode's compiler warns; no store has confirmed how it is hashed"
    case .missingInverse: "Inverse missing: Xcode's compiler warns; no store has confirmed how it is hashed"
    case .oneSidedInverse: "One-sided inverse: Xcode's compiler warns; hashes do not depend on it"
    case .noInverse: "No inverse: Xcode's compiler warns; Core Data then keeps no other side in step"
    case .unreadableDefault: "Defaults that cannot be read: what rests on them is assumed"
    case .noEntities: "Empty"
    case .insecureTransformer: "Insecure transformers: Core Data warns at every start, and means to refuse them one day"
    case .refusedClass: "Classes that a secure transformer refuses: saving such a value ends the app"
    case .unknownSource: "Not known here"
    }
  }
}

extension Severity {
  fileprivate var mark: String {
    switch self {
    case .error: "E"
    case .warning: "W"
    case .note: "N"
    }
  }
}
