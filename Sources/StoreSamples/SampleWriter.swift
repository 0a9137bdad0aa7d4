import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreText
import StoreWords
import StoreWriting

/// Fills a new store with the objects and links of a sample.
struct SampleWriter {
  let options: SampleOptions
  private var tuples: UniqueTuples
  let entities: SampleEntities
  let links: [LinkKind]
  private(set) var maker: ValueMaker
  private let population: Population
  private let uuid: String
  /// By position of the entity.
  private var objects: [[SampleObject]] = []
  private var keys: [String: Int64] = [:]
  /// How many links were made.
  private(set) var linkCount = 0
  /// Parts the store does not have, one sentence each.
  private(set) var limits: [String] = []

  init(_ model: Model, _ options: SampleOptions) throws {
    self.options = options
    try Self.checkNames(model)
    var random = SampleRandom(options, model)
    uuid = UUIDText.text(random.uuid())
    tuples = UniqueTuples(model)
    entities = SampleEntities(model, tuples)
    let (links, faulty) = LinkKind.all(of: model)
    self.links = links
    population = Population(entities, links, options, &random)
    maker = ValueMaker(options.kind, random)
    guard population.counts.allSatisfy({ $0 <= Self.mostObjects }), population.counts.reduce(0, +) <= Self.mostObjects
    else {
      throw SampleError(
        "it would have more than the \(Self.mostObjects) objects that a sample may have; ask for fewer "
          + (options.like == nil ? "rows" : "with --rows, without --like"))
    }
    for place in faulty {
      limits.append("\(place) has no links: its inverse does not lead back, and how Core Data stores that is not known")
    }
  }

  private static let mostObjects = 20_000_000

  /// Names become those of tables and columns, which Core Data does not quote.
  private static func checkNames(_ model: Model) throws(SampleError) {
    var tables: Set<String> = []
    for entity in model.entities {
      for name in [entity.name] + entity.properties.map(\.name) where !isIdentifier(name) {
        throw SampleError(
          "'\(name)' cannot be the name of a table or column: names have letters, digits and underscores")
      }
      if entity.parent == nil, !tables.insert(entity.name.uppercased()).inserted {
        throw SampleError("two entities have the table Z\(entity.name.uppercased())")
      }
    }
  }

  private static func isIdentifier(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy { $0.value > 0x7f || $0 == "_" || $0.properties.isAlphabetic || $0.isDigit }
  }

  /// Makes the store.
  mutating func write(to path: PosixPath) throws {
    let store = try StoreWriter(creating: path, StoreDescription(model: entities.model, uuid: uuid))
    for position in entities.all.indices { try insert(position, into: store) }
    for kind in links { try link(kind, in: store) }
    try store.finish()
    limits += notKept(in: store) + notCounted()
  }

  /// The entities that can have objects, by name, with how many there are.
  var counts: [(name: String, objects: Int)] {
    zip(entities.all, objects).map { ($0.name, $1.count) }
  }

  private mutating func insert(_ position: Int, into store: StoreWriter) throws {
    let entity = entities.all[position]
    var made: [SampleObject] = []
    let wanted = population.counts[position]
    for number in 0..<wanted {
      guard let values = values(of: entity, number: number) else { continue }
      let key = keys[entity.root, default: 0] + 1
      keys[entity.root] = key
      let object = SampleObject(entity: position, key: key)
      tuples.insert(object, positions: entity.uniqueness, values: values)
      try store.insert(entity.name, values.filter { $0.value != .null }, key: key)
      made.append(object)
    }
    objects.append(made)
    if made.count < wanted {
      limits.append(
        "\(entity.name) has \(made.count) of \(wanted) objects: a uniqueness constraint leaves no room for more")
    }
  }

  /// Values that keep all uniqueness constraints; nil where there are none.
  private mutating func values(of entity: SampleEntity, number: Int) -> [String: StoredValue]? {
    var values: [String: StoredValue] = [:]
    for leaf in entity.leaves {
      values[leaf.path] = maker.value(leaf, of: entity.name, number: number, attempt: 0)
    }
    for leaf in entity.leaves where !leaf.isRequired {
      if options.like?.isEmpty(entity.name, leaf.path, number: number) == true { values[leaf.path] = .null }
    }
    let attempts = 200
    for attempt in 1...attempts {
      // Where the attributes leave no choice, the relationships of a constraint have to differ.
      guard let broken = tuples.broken(entity.uniqueness, by: values, withLinks: attempt < attempts / 2) else {
        return values
      }
      for leaf in entity.leaves where broken.contains(leaf.path) {
        values[leaf.path] = maker.value(leaf, of: entity.name, number: number, attempt: attempt)
      }
    }
    // NULL equals nothing.
    for leaf in entity.leaves where leaf.isUnique && !leaf.isRequired { values[leaf.path] = .null }
    return tuples.broken(entity.uniqueness, by: values, withLinks: false) == nil ? values : nil
  }

  /// How often links like a store's are drawn at most.
  private static let drawings = 8

  private mutating func link(_ kind: LinkKind, in store: StoreWriter) throws {
    let (entities, objects, options) = (entities, objects, options)
    let before = tuples
    let (made, after) = maker.withRandom { random in
      var best: (made: LinkMaker, tuples: UniqueTuples)?
      // Which object has how many links is drawn, and not every drawing can be made true.
      for _ in 0..<(options.like == nil ? 1 : Self.drawings) {
        var (made, tuples) = (LinkMaker(kind, entities, objects, options, &random), before)
        made.make(&tuples, random: &random)
        if made.links.count >= best?.made.links.count ?? 0 { best = (made, tuples) }
        if made.missing == nil { break }
      }
      return best ?? (LinkMaker(kind, entities, objects, options, &random), before)
    }
    tuples = after
    for link in made.links {
      let ends = made.objects(of: link)
      try store.link(
        ObjectKey(entity: entities.all[ends.source.entity].name, key: ends.source.key), kind.source.name,
        to: ObjectKey(entity: entities.all[ends.destination.entity].name, key: ends.destination.key))
    }
    linkCount += made.links.count
    if let missing = made.missing {
      limits.append(
        "\(kind.source.entity).\(kind.source.name) has \(counted(Int64(missing), "link")) fewer than the store")
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }
}
