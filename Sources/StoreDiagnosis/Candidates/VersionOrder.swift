import StoreDataModel
import StoreModels

/// Whether one version comes after another, and what tells.
enum VersionOrder: Equatable {
  /// A plan, the order given, identifiers, mapping models or the git history tell.
  case proved(isLater: Bool)
  /// Only the versions' names tell.
  case assumed(isLater: Bool)
  /// Nothing tells.
  case unknown
}

extension Candidates {
  /// Whether the version at one position comes after the one at another.
  func order(of one: Int, after other: Int) -> VersionOrder {
    guard list.versions.indices.contains(one), list.versions.indices.contains(other) else { return .unknown }
    let (own, base) = (list.versions[one], list.versions[other])
    if own.source.path != base.source.path || own.source.plan != nil || !options.planOrder.isEmpty {
      return .proved(isLater: one > other)
    }
    let numbers = [own, base].map { version in
      version.model.versionIdentifiers.count == 1 ? versionNumber(version.model.versionIdentifiers[0]) : nil
    }
    if let number = numbers[0], let baseNumber = numbers[1], number != baseNumber {
      return .proved(isLater: baseNumber.lexicographicallyPrecedes(number))
    }
    if leadsByMappingModels(from: other, to: one) { return .proved(isLater: true) }
    if leadsByMappingModels(from: one, to: other) { return .proved(isLater: false) }
    if let history = options.history, let came = history.firstTime(judgedModels.hashes(of: own.model)),
      let before = history.firstTime(judgedModels.hashes(of: base.model)), came != before
    {
      return .proved(isLater: came > before)
    }
    guard nameWithoutNumber(own.name) == nameWithoutNumber(base.name) else { return .unknown }
    // The current version is the newest of those that only add a number to its name.
    if base.source.statesUnnumberedCurrent(base.name) { return .assumed(isLater: false) }
    if own.source.statesUnnumberedCurrent(own.name) { return .assumed(isLater: true) }
    return .assumed(isLater: versionNamesPrecede(base.name, own.name))
  }
}

extension ModelSource {
  /// Whether it states by itself that this version is the current one, and the name has no number at its end.
  fileprivate func statesUnnumberedCurrent(_ name: String) -> Bool {
    name == currentVersionName && currentBasis == nil && nameWithoutNumber(name) == name
  }

  /// Its versions from the oldest to the newest, as far as their names tell: by number, but the current version without
  /// a number after those that only add a number to its name.
  func versionsByAge(_ names: [String]) -> [String] {
    guard let current = currentVersionName, statesUnnumberedCurrent(current), let place = names.firstIndex(of: current),
      let last = names.lastIndex(where: { nameWithoutNumber($0) == current[...] }), last > place
    else { return names }
    var ordered = names
    ordered.remove(at: place)
    ordered.insert(current, at: last)
    return ordered
  }
}

/// "Notes" of "Notes", "Notes 2" and "Notes2.1".
private func nameWithoutNumber(_ name: String) -> Substring {
  var name = name[...]
  while let last = name.last, last.isNumber || last == "." || last == " " { name.removeLast() }
  return name
}

/// "2.1.0" as numbers, without zeros at the end; nil for anything else.
func versionNumber(_ text: String) -> [Int]? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  var numbers = parts.compactMap { Int($0) }
  guard numbers.count == parts.count else { return nil }
  while numbers.last == 0 { numbers.removeLast() }
  return numbers
}
