import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreText
import StoreWriting

/// Fills a new store with the objects and links of a sample.
struct SampleWriter {
  private let options: SampleOptions
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
    guard population.counts.reduce(0, +) <= Self.mostObjects else {
      throw SampleError(
        "\(population.counts.reduce(0, +)) objects are more than the \(Self.mostObjects) a sample may have; ask for fewer "
          + "rows")
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
    limits += notKept(in: store)
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

  private mutating func link(_ kind: LinkKind, in store: StoreWriter) throws {
    let (entities, objects, content) = (entities, objects, options.kind)
    var tuples = tuples
    let made = maker.withRandom { random in
      var made = LinkMaker(kind, entities, objects, content, &random)
      made.make(&tuples, random: &random)
      return made
    }
    self.tuples = tuples
    for link in made.links {
      let ends = made.objects(of: link)
      try store.link(
        ObjectKey(entity: entities.all[ends.source.entity].name, key: ends.source.key), kind.source.name,
        to: ObjectKey(entity: entities.all[ends.destination.entity].name, key: ends.destination.key))
    }
    linkCount += made.links.count
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(value) }
}
