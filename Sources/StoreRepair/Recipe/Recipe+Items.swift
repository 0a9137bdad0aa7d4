extension Recipe {
  /// One thing that a recipe asks for about objects, their values and links.
  package enum Item: Sendable, Equatable {
    /// Objects in the place of links.
    case junction(Junction)
    /// Missing values.
    case backfill(Backfill)
    /// Empty relationships.
    case relink(Relink)
    /// Duplicates.
    case dedupe(Dedupe)

    /// The entity whose objects it changes or makes.
    var entity: String {
      switch self {
      case .junction(let item): item.entity
      case .backfill(let item): item.entity
      case .relink(let item): item.entity
      case .dedupe(let item): item.entity
      }
    }
  }

  /// The items in the order in which they are carried out, whatever their order in the file: a repair, a stage that a recipe
  /// performs and the Swift of that stage all follow it. Missing values come before duplicates, which are told by them, and
  /// these before the objects that are made for links; what is asked for those objects comes last.
  package var items: [Item] {
    let changes: [Item] =
      backfill.map { .backfill($0) } + relink.map { .relink($0) } + dedupe.map { .dedupe($0) }
    let made = Set(junctions.map(\.entity))
    return changes.filter { !made.contains($0.entity) } + junctions.map { .junction($0) }
      + changes.filter { made.contains($0.entity) }
  }
}
