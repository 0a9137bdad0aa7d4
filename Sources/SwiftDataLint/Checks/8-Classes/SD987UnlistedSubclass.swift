import StoreText
import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let unlistedSubclass = LintCheck(.unlistedSubclass) { subject, say in
    for id in subject.project.models {
      guard let parent = subject.shapes[id]?.superclass else { continue }
      subject.sayUnlisted(id, parent: parent, say: &say)
      if !subject.isAvailableSince26(id) {
        say.add(
          .warning, at: subject.names.place(of: id), schema: subject.version(containing: id)?.name,
          entity: subject.names[id].name,
          message:
            "\(subject.names[id].name) inherits from a model, which systems before 26 cannot: no @available says so")
      }
    }
  }
}

extension LintSubject {
  /// Reports lists with the parent but without the subclass; other versions have a subclass of their own.
  fileprivate func sayUnlisted(_ id: TypeID, parent: TypeID, say: inout LintFindings) {
    let (place, parentPlace) = (names.place(of: id), names.place(of: parent))
    let home = version(containing: id)?.name
    for schema in reading.schemas where schema.listProblem == nil && schema.origin != .liveClasses {
      guard schema.entities.contains(where: { $0.place == parentPlace }),
        !schema.entities.contains(where: { $0.place == place || $0.name == names[id].name }),
        home == nil || home == schema.name
      else { continue }
      for list in lists(of: schema, with: id) {
        say.add(
          at: list.place, schema: schema.name, entity: names[id].name,
          message:
            "\(list.name) has \(names[parent].name), but not its subclass \(names[id].name), which is not found through it",
          notes: [.init("the subclass", at: place)])
      }
    }
  }

  /// The places of a schema's list of classes: of containers with the same list, those on disk, or the first if all are
  /// in memory.
  private func lists(of schema: SourceSchema, with subclass: TypeID) -> [(name: String, place: SourcePlace)] {
    if let version = versions.first(where: { $0.schema.place == schema.place }) {
      return [(version.name, listPlace(of: version))]
    }
    let isNew = isAvailableSince26(subclass)
    let users = containers.filter { $0.container.schemaName == schema.name }
    // A `Schema([Trip.self])` without container.
    if !users.contains(where: { $0.place == schema.place }), !(isNew && isForOlderSystems(schema.place)) {
      return [(schema.name, schema.place)]
    }
    let fitting = users.filter { !(isNew && $0.call.isForOlderSystems) }
    let onDisk = fitting.filter { !$0.isInMemory }
    return (onDisk.isEmpty ? Array(fitting.prefix(1)) : onDisk).map(\.place).map { place in
      (place == schema.place ? schema.name : "\(place.file.split(separator: "/").last ?? ""):\(place.line)", place)
    }
  }

  /// Whether the call at a place runs only on systems without subclassing.
  private func isForOlderSystems(_ place: SourcePlace) -> Bool {
    guard let file = names.files.first(where: { $0.path == place.file }) else { return false }
    return file.calls.contains { $0.isForOlderSystems && file.place($0.span) == place }
  }

  /// Whether `@available(iOS 26, *)` applies to the class or an enclosing type.
  fileprivate func isAvailableSince26(_ id: TypeID) -> Bool {
    var current: TypeID? = id
    while let next = current {
      for part in names[next].parts {
        let bytes = names.files[part.file].bytes
        for attribute in part.declaration.attributes where attribute.name == "available" {
          let range = attribute.span.start..<max(attribute.span.start, min(attribute.span.end, bytes.count))
          let text = String(decoding: bytes[range], as: UTF8.self)
          if text.contains("26") || text.contains("27") { return true }
        }
      }
      current = names[next].parent
    }
    return false
  }
}
