import SQLitePages
import StoreCoreData

/// Which version of a table a row is of, where more than one has columns that its values fit.
///
/// Core Data makes a table anew when a property goes (`migration-on-disk.md`, "Re-made or kept"), with all columns in its own
/// order: a value of one column then stands where another one's stands today.
///
///     before    Z_PK  Z_ENT  Z_OPT  ZFOLDER  ZWIDTH  ZTITLE
///     today     Z_PK  Z_ENT  Z_OPT  ZRATING  ZFOLDER ZTITLE
///     a row     -     4      2      109      NULL    "Milk"
///
/// It is decided by what the entity can have, by the row that is there with its key, and by the other rows of its page, which
/// are all of one table while its cells are there. What is not decided has only the values whose columns all versions agree on.
extension PageRecovery {
  /// Gives each row the template of the version that it is of, as far as that can be told.
  ///
  /// - Parameter mayBe: whether the values of a row can be those of an object, read by a template.
  func chooseReadings(_ mayBe: (Candidate, RowTemplate) throws -> Bool) throws {
    let rivals = self.rivals
    guard rivals.contains(where: { !$0.isEmpty }) else { return }
    let asked = AskedTemplates(templates)
    var open: [Int: [Int]] = [:]
    var changed: Set<Int> = []
    func choose(_ template: Int, for index: Int) {
      guard found[index].template != template else { return }
      retemplate(index, template)
      changed.insert(index)
    }
    var byCells: [PageKey: Set<Int>] = [:]
    for index in found.indices where !rivals[found[index].template].isEmpty {
      let candidate = found[index]
      let possible = try ([candidate.template] + rivals[candidate.template]).filter { template in
        try fits(candidate, asked[template], of: template) && mayBe(candidate, templates[template])
      }
      if possible.count > 1, let decided = try readingOfLive(candidate, among: possible) {
        choose(decided, for: index)
      } else if possible.count > 1 {
        if try differ(possible, on: candidate) { open[index] = possible }
        continue
      } else if let only = possible.first {
        choose(only, for: index)
      } else {
        continue
      }
      if candidate.isInCell { byCells[pageKey(candidate), default: []].insert(found[index].template) }
    }
    for (index, possible) in open {
      if let cells = byCells[pageKey(found[index])], cells.count == 1, let template = cells.first,
        possible.contains(template), found[index].isInCell || templates[template].isFormer
      {
        choose(template, for: index)
      } else {
        leaveVersionOpen(index)
        changed.insert(index)
      }
    }
    if !changed.isEmpty { joinCopies(of: changed, rivals) }
  }

  /// For each template those of the same table with other columns in the places of its own.
  private var rivals: [[Int]] {
    templates.indices.map { index in
      let own = templates[index]
      guard own.coreData?.versionColumn != nil, !own.isForeign else { return [] }
      return templates.indices.filter { other in
        let template = templates[other]
        return other != index && template.home == own.home && !template.isForeign && template.coreData != nil
          && (own.isFormer || template.isFormer) && template.differs(from: own)
      }
    }
  }

  private struct PageKey: Hashable {
    var file: PageOrigin.File
    var version: UInt32
  }

  private func pageKey(_ candidate: Candidate) -> PageKey {
    PageKey(file: candidate.place.source, version: candidate.place.version)
  }

  /// Whether types, number and version of a row are such as a template has.
  private func fits(_ candidate: Candidate, _ asked: AskedTemplate, of template: Int) throws -> Bool {
    guard candidate.key ?? 0 <= templates[template].largestKey ?? .max else { return false }
    return try read(candidate) { record, bytes in
      guard asked.admits(record), let entity = templates[template].coreData?.entityColumn, entity < record.count else {
        return false
      }
      return candidate.isLost(entity, field: record.fields[entity]) || candidate.isDamaged
        || asked.agrees(record, in: bytes, at: 0)
    } ?? false
  }

  /// Whether templates give a row different values: where their columns differ it has some.
  private func differ(_ possible: [Int], on candidate: Candidate) throws -> Bool {
    guard let first = possible.first else { return false }
    return try read(candidate) { record, _ in
      possible.dropFirst().contains { other in
        zip(templates[first].columns, templates[other].columns).enumerated().contains { place, columns in
          columns.0.name != columns.1.name && place < record.count && record.fields[place].type.kind != .null
        }
      }
    } ?? true
  }

  /// The one template by which a row has the values of the row that is there with its key and `Z_OPT`, which a migration leaves.
  private func readingOfLive(_ candidate: Candidate, among possible: [Int]) throws -> Int? {
    let home = templates[templates[candidate.template].home]
    guard let key = candidate.key, let root = home.root, let version = home.coreData?.versionColumn,
      let live = try view.find(rowID: key, root: root), live.cell.overflow == nil
    else { return nil }
    let places = Dictionary(home.columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let equal = try possible.filter { template in
      try read(candidate) { record, bytes in
        live.bytes.withUnsafeBytes { page in
          var now = Record()
          let start = live.cell.payloadStart
          guard now.read(page, at: start), let own = templates[template].coreData?.versionColumn,
            let saves = record.integer(own, in: bytes), saves == now.integer(version, in: page, at: start)
          else { return false }
          let row = UnsafeRawBufferPointer(rebasing: page[start...])
          for (index, column) in templates[template].columns.enumerated() where index < record.count && index > 0 {
            guard column.name != "Z_ENT", let place = places[column.name], place < now.count,
              !candidate.isLost(index, field: record.fields[index])
            else { continue }
            guard record.fields[index].type.code == now.fields[place].type.code else { return false }
            if let value = record.bytes(index, in: bytes), let today = now.bytes(place, in: row),
              !value.elementsEqual(today)
            {
              return false
            }
          }
          return true
        }
      } ?? false
    }
    return equal.count == 1 ? equal.first : nil
  }

  private struct Body: Hashable {
    var home: Int
    var hash: UInt64
    var check: UInt32
  }

  /// Joins rows that have the same bytes and were taken for rows of two versions: what decides of one decides of the other.
  private func joinCopies(of changed: Set<Int>, _ rivals: [[Int]]) {
    func body(_ index: Int) -> Body {
      let candidate = found[index]
      return Body(home: templates[candidate.template].home, hash: candidate.localHash, check: candidate.place.check)
    }
    var byBody = Dictionary(changed.map { (body($0), [Int]()) }) { first, _ in first }
    for index in found.indices where !rivals[found[index].template].isEmpty {
      let body = body(index)
      if byBody[body] != nil { byBody[body]?.append(index) }
    }
    for members in byBody.values where members.count > 1 {
      guard let first = members.first(where: { !found[$0].isOfOpenVersion }) ?? members.first else { continue }
      for other in members where other != first {
        let (one, two) = (found[first], found[other])
        guard one.key == nil || two.key == nil || one.key == two.key, one.hasOverflow == two.hasOverflow,
          one.template == two.template || two.isOfOpenVersion
        else { continue }
        join(other, to: first)
      }
    }
  }
}

extension RowTemplate {
  /// Whether a value has another column than in another template of the same table, where both may have as many.
  fileprivate func differs(from other: RowTemplate) -> Bool {
    !counts.union(unsureCounts).isDisjoint(with: other.counts.union(other.unsureCounts))
      && zip(columns, other.columns).contains { $0.name != $1.name }
  }

  /// The places whose columns differ between this template and others of the same table.
  func openPlaces(among templates: [RowTemplate]) -> Set<Int> {
    var places: Set<Int> = []
    for other in templates where other.home == home && !other.isForeign && other.differs(from: self) {
      for (index, (own, its)) in zip(columns, other.columns).enumerated() where own.name != its.name {
        places.insert(index)
      }
    }
    return places
  }
}
