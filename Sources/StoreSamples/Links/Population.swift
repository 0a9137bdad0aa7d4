import StoreDataModel

/// How many objects are made of each entity: what was asked for, and more where required relationships need them.
struct Population {
  /// By position of the entity.
  private(set) var counts: [Int]
  private let entities: SampleEntities

  init(_ entities: SampleEntities, _ links: [LinkKind], _ options: SampleOptions, _ random: inout SampleRandom) {
    self.entities = entities
    counts = entities.all.map { entity in
      if let shape = options.like { return shape.objects[entity.name] ?? 0 }
      return switch (options.kind, options.rows) {
      case (.minimal, _): 1
      case (_, let rows?): min(max(rows, 0), SampleOptions.mostRows)
      case (.typical, nil): 10 + random.below(11)
      case (.edge, nil): 20
      }
    }
    let limits = counts.map { min($0, 1 << 40) * 8 + 64 }
    // Each round may make needs of its own; a model that never has enough is left at the limits.
    for _ in 0..<16 {
      let before = counts
      for link in links {
        let isPair = !link.isToMany.source && !link.isToMany.destination && link.destination.inverse != nil
        let wants = isPair && options.kind == .typical && options.rows == nil && options.like == nil
        meet(link, limits: limits, wantsPairs: wants)
      }
      if counts == before { break }
    }
  }

  private func total(_ positions: [Int]) -> Int { positions.reduce(0) { $0 + counts[$1] } }

  /// Makes the ends of a relationship large enough for what the other ends need.
  private mutating func meet(_ link: LinkKind, limits: [Int], wantsPairs: Bool) {
    let sources = entities.kinds(of: link.source.entity)
    let destinations = entities.kinds(of: link.destination.entity)
    let ends =
      [(sources, destinations, link.source.name, link.destination.inverse)]
      + (link.destination.inverse.map { [(destinations, sources, $0, link.source.name)] } ?? [])
    for (these, others, name, inverse) in ends {
      var needed = 0
      var widest = 0
      for position in these {
        guard let bounds = entities.all[position].relationships[name] else { continue }
        let least = wantsPairs ? 1 : bounds.least
        needed += min(least.multipliedReportingOverflow(by: counts[position]).partialValue, 1 << 40)
        if counts[position] > 0 { widest = max(widest, least) }
      }
      let entities = entities
      grow(others, to: needed, count: widest, limits: limits) { position in
        inverse.map { entities.all[position].relationships[$0]?.most ?? 0 } ?? (link.hiddenMost ?? .max)
      }
    }
  }

  /// Makes more objects of the first of some entities, until they can take `links` links, and are at least `count`.
  private mutating func grow(
    _ positions: [Int], to links: Int, count: Int, limits: [Int], most: (Int) -> Int
  ) {
    guard let first = positions.first(where: { most($0) > 0 }) else { return }
    var room = 0
    for position in positions {
      let part = most(position).multipliedReportingOverflow(by: counts[position])
      room = part.overflow ? links : min(links, room + min(part.partialValue, links))
    }
    var more = max(0, count - total(positions))
    if room < links {
      let each = min(most(first), links)
      more = max(more, (links - room + each - 1) / max(each, 1))
    }
    counts[first] = min(counts[first] + more, max(limits[first], counts[first]))
  }
}
