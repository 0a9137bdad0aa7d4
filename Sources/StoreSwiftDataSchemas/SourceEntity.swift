import StoreDataModel

/// A `@Model` class as the entity SwiftData makes of it, with how sure that is.
package struct SourceEntity: Sendable, Equatable {
  /// How sure the entity is.
  package enum Certainty: String, Sendable {
    /// By rules that real hashes have proved, or that the documentation states (``SourceEntity/unmeasured``).
    case derived
    /// A rule is open: the variants are all readings it has.
    case open
    /// Something is not known, so there is no hash.
    case incomplete
  }

  /// One reading of the class.
  package struct Variant: Sendable, Equatable {
    /// How the open rules were read, in words; empty for the first variant of a derived entity.
    package var choices: [String]
    /// The systems that read the class so.
    package var frameworks: FrameworkRange
    /// The entity.
    package var entity: Entity
    /// Its version hash, ancestors included; nil where it is not known.
    package var hash: VersionHash?

    /// A reading.
    package init(
      choices: [String] = [], frameworks: FrameworkRange = FrameworkRange(), entity: Entity, hash: VersionHash?
    ) {
      self.choices = choices
      self.frameworks = frameworks
      self.entity = entity
      self.hash = hash
    }
  }

  /// Something that is not known.
  package struct Reason: Sendable, Hashable {
    /// The property it is about; nil for the class.
    package var property: String?
    /// The type as it is written, if it is the type.
    package var type: String?
    /// The gap in the knowledge; lower case, no full stop.
    package var message: String
    /// A fact that would settle it; lower case, no full stop.
    package var remedy: String?
    /// Whether it is that two declarations fit.
    package var isDoubt: Bool
    /// Where.
    package var place: SourcePlace?

    /// A reason.
    package init(
      property: String? = nil, type: String? = nil, _ message: String, remedy: String? = nil, isDoubt: Bool = false,
      place: SourcePlace? = nil
    ) {
      self.property = property
      self.type = type
      self.message = message
      self.remedy = remedy
      self.isDoubt = isDoubt
      self.place = place
    }
  }

  /// The most readings an entity may have; with more it is incomplete.
  package static let maximumVariants = 64

  /// The class's name with the types it is nested in: `SchemaV1.Note`.
  package var className: String
  /// The class's name in its declaration.
  package var place: SourcePlace
  /// Whether the schema's list names it; else it was reached through a relationship or is a listed class's parent.
  package var isListed: Bool
  /// The readings, the likeliest first; never empty. Their hashes differ.
  package var variants: [Variant]
  /// The open rules that the hash rests on, sorted.
  package var openRules: [OpenRule]
  /// The properties that each of them concerns, sorted; of superclasses too. Rules about the class have none.
  package var openProperties: [OpenRule: [String]] = [:]
  /// Rules that it rests on that no hash has proved, though they are documented or plain by analogy; sorted. Equal hashes
  /// prove them, other hashes may be their fault.
  package var unmeasured: [UnmeasuredRule]
  /// The gaps in the knowledge; empty unless incomplete.
  package var reasons: [Reason]
  /// Properties whose type was taken for what the user said, and what; sorted. Nothing proves it.
  package var assumed: [String] = []
  /// The names of the properties in the source.
  package var propertyPlaces: [String: SourcePlace]
  /// Further facts of the source.
  package var details: SwiftDataDetails

  /// An entity of one reading unless said otherwise.
  package init(
    className: String, place: SourcePlace, isListed: Bool, variants: [Variant], openRules: [OpenRule] = [],
    unmeasured: [UnmeasuredRule] = [], reasons: [Reason] = [], propertyPlaces: [String: SourcePlace] = [:],
    details: SwiftDataDetails = SwiftDataDetails()
  ) {
    self.className = className
    self.place = place
    self.isListed = isListed
    self.variants = variants
    self.openRules = openRules
    self.unmeasured = unmeasured
    self.reasons = reasons
    self.propertyPlaces = propertyPlaces
    self.details = details
  }

  /// The entity's name: the class's own.
  package var name: String { variants.first?.entity.name ?? className }

  /// How sure it is.
  package var certainty: Certainty { reasons.isEmpty ? (openRules.isEmpty ? .derived : .open) : .incomplete }

  /// The open rules, a few words for each: "Note.url: URL".
  package var openWords: [String] {
    openRules.map { rule in
      let names = openProperties[rule] ?? []
      guard !names.isEmpty else { return "\(name): \(rule.rawValue)" }
      let shown = names.prefix(4).map { "\(name).\($0)" } + (names.count > 4 ? ["\(names.count - 4) more"] : [])
      return "\(shown.joined(separator: ", ")): \(rule.rawValue)"
    }
  }

  /// The hash if there is only one reading; readings of older systems do not count.
  package var versionHash: VersionHash? { certainty == .derived ? variants.first?.hash : nil }

  /// The readings a store of a framework version may have been written with, the likeliest first.
  package func variants(framework: Int?) -> [Variant] {
    guard let framework else { return variants }
    let possible = variants.filter { $0.frameworks.allows(framework) }
    return possible.filter { $0.frameworks.contains(framework) }
      + possible.filter { !$0.frameworks.contains(framework) }
  }

  /// The readings of today's systems.
  package var currentVariants: [Variant] { variants.filter(\.frameworks.isCurrent) }
}
