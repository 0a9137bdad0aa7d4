/// Names of classes that may be in an archive. Names are compared as bytes, so that looking through a column's archives
/// allocates nothing for those that pass.
package struct ClassFilter: Sendable {
  private let names: [[UInt8]]
  /// Also accepted behind the name of a module: "Signature" for "Post.Signature".
  private let bareNames: [[UInt8]]

  /// - Parameters:
  ///   - names: names as archives have them.
  ///   - bareNames: names as archives have them, or as Swift source has them, without the module.
  package init(_ names: Set<String>, bareNames: Set<String> = []) {
    self.names = names.union(bareNames).sorted().map { Array($0.utf8) }
    self.bareNames = bareNames.sorted().map { Array($0.utf8) }
  }

  fileprivate func allows(_ name: some RandomAccessCollection<UInt8>) -> Bool {
    if names.contains(where: { $0.count == name.count && $0.elementsEqual(name) }) { return true }
    guard !bareNames.isEmpty, let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let bare = name[name.index(after: dot)...]
    return bareNames.contains { $0.count == bare.count && $0.elementsEqual(bare) }
  }
}

extension KeyedArchive {
  /// A class that a filter does not let through.
  package struct RefusedClass: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// Whether it is that of the archive's own object, and not of something in a collection.
    package var isTop: Bool

    /// A class by its name.
    package init(name: String, isTop: Bool) {
      self.name = name
      self.isTop = isTop
    }
  }

  /// The first class that a filter does not let through: that of the object under `root`, or, where this is a
  /// collection, of what is in it through collections alone. What an object of another class has in it is decoded by
  /// that class, and not looked at.
  ///
  /// A class passes if it or one of the classes it inherits from is in the filter. Plain texts, numbers and bytes have no
  /// class and pass.
  package func refusedClass(by filter: ClassFilter) -> RefusedClass? {
    let classes = ArchivedClasses(contents)
    if classes.isRefused(root.index, by: filter) { return root.className.map { .init(name: $0, isTop: true) } }
    guard classes.anyIsRefused(by: filter) else { return nil }
    return firstRefused(in: root, by: filter, classes: classes)
  }

  /// The module of the class of the object under `root`: "Post" of "Post.Signature"; nil where it has none.
  package var rootModule: String? {
    guard ArchivedClasses(contents).hasModule(root.index), let name = root.className,
      let dot = name.firstIndex(of: "."), dot > name.startIndex
    else { return nil }
    return String(name[..<dot])
  }

  private static let mostVisited = 100_000

  private func firstRefused(
    in collection: Object, by filter: ClassFilter, classes: ArchivedClasses
  ) -> RefusedClass? {
    var seen: Set<Int> = [collection.id]
    var waiting = collection.members.reversed() as [Object]
    var left = Self.mostVisited
    while let object = waiting.popLast(), left > 0 {
      left -= 1
      guard object.id < 0 || seen.insert(object.id).inserted else { continue }
      if classes.isRefused(object.index, by: filter) {
        return object.className.map { .init(name: $0, isTop: false) }
      }
      waiting += object.members.reversed()
    }
    return nil
  }
}

extension KeyedArchive.Object {
  /// What is in it, if it is a collection: members, or keys and values.
  fileprivate var members: [KeyedArchive.Object] {
    if let entries { return entries.flatMap { [$0.key, $0.value] } }
    return elements ?? []
  }
}

/// The descriptions of classes in an archive, looked at without making texts of names.
private struct ArchivedClasses {
  private let contents: KeyedArchive.Contents
  private let name: UInt32?
  private let hierarchy: UInt32?

  init(_ contents: KeyedArchive.Contents) {
    self.contents = contents
    (name, hierarchy) = contents.classKeys
  }

  /// Whether an object has a class, and neither it nor one it inherits from is in the filter.
  func isRefused(_ index: Int, by filter: ClassFilter) -> Bool {
    contents.classDescriptionIndex(of: index).map { isRefused(description: $0, by: filter) } ?? false
  }

  /// Whether any class of the archive is refused.
  func anyIsRefused(by filter: ClassFilter) -> Bool {
    contents.references.contains { position in
      let index = Int(contents.table.references[position])
      return isDescription(index) && isRefused(description: index, by: filter)
    }
  }

  /// Whether the name of an object's class has a dot.
  func hasModule(_ index: Int) -> Bool {
    guard let description = contents.classDescriptionIndex(of: index), let name = value(name, of: description) else {
      return false
    }
    return contents.table.withText(name) { $0.contains(UInt8(ascii: ".")) } ?? false
  }

  private func isDescription(_ index: Int) -> Bool { value(name, of: index) != nil }

  private func isRefused(description: Int, by filter: ClassFilter) -> Bool {
    if let names = value(hierarchy, of: description), case .array(let range) = contents.table.objects[names].content,
      !range.isEmpty
    {
      return !range.contains { allows(Int(contents.table.references[$0]), filter) }
    }
    return value(name, of: description).map { !allows($0, filter) } ?? false
  }

  private func allows(_ index: Int, _ filter: ClassFilter) -> Bool {
    contents.table.withText(index) { filter.allows($0) } ?? false
  }

  private func value(_ key: UInt32?, of index: Int) -> Int? { key.flatMap { contents.value($0, of: index) } }
}
