import StoreWords
import StoreDigests

/// One defect of a store: what a check found for one property of one entity, in any number of rows.
public struct Finding: Sendable, Equatable {
  /// The check's id, "SD401".
  public var id: String
  /// The check's name, "dangling-reference".
  public var name: String
  /// How bad it is.
  public var severity: Severity
  /// The entity, by its name in `Z_PRIMARYKEY`; for a property, the one that declares it. Nil for the whole file.
  public var entity: String?
  /// The table it was found in.
  public var table: String?
  /// The attribute or relationship.
  public var property: String?
  /// How many rows (or files, or pages) have it; 1 if it is not about several things.
  public var count: Int64
  /// For a finding about several entities, the count of each; otherwise empty.
  public var entities: [String: Int64] = [:]
  /// The first of these rows, files or pages.
  public var examples: [Example]
  /// The problem; lower case, no full stop. It contains no values of rows except keys.
  public var message: String
  /// Error codes an app may meet because of it; `storedoctor explain` tells what they mean.
  public var blocks: [Int]
  /// Repairs that treat it.
  public var remedies: [Remedy]
  /// The evidence; `assumed` if the store has no model and the relationship is only likely.
  public var basis: Basis

  /// Creates a finding.
  public init(
    id: String, name: String, severity: Severity, entity: String?, table: String?, property: String?, count: Int64,
    examples: [Example], message: String, blocks: [Int], remedies: [Remedy], basis: Basis
  ) {
    self.id = id
    self.name = name
    self.severity = severity
    self.entity = entity
    self.table = table
    self.property = property
    self.count = count
    self.examples = examples
    self.message = message
    self.blocks = blocks
    self.remedies = remedies
    self.basis = basis
  }

  /// One row with what is wrong there.
  public struct Example: Sendable, Equatable {
    /// `Z_PK`; nil if it is NULL or the example is not a row.
    public var primaryKey: Int64?
    /// Further facts that identify it: keys, numbers and names, never values.
    public var facts: [String: Fact]

    /// A row, with further facts.
    public init(_ primaryKey: Int64?, _ facts: [String: Fact?] = [:]) {
      self.primaryKey = primaryKey
      self.facts = facts.compactMapValues(\.self)
    }
  }

  /// A fact about an example.
  public enum Fact: Sendable, Equatable, ExpressibleByStringLiteral {
    case number(Int64)
    case text(String)

    /// A name.
    public init(stringLiteral value: String) { self = .text(value) }
  }

  /// A repair that treats a finding.
  public struct Remedy: Sendable, Equatable {
    /// The fragment of a recipe that requests it.
    public var recipe: String
    /// Whether `--safe` includes it.
    public var isSafe: Bool

    /// Creates a remedy; unless it is safe, it must be requested by name.
    public init(_ recipe: String, isSafe: Bool = false) {
      self.recipe = recipe
      self.isSafe = isSafe
    }
  }

  /// Identifies this finding in a baseline: 16 hex digits that depend only on the check and the place, so that they
  /// stay the same while the affected rows change.
  public var fingerprint: String {
    // Where no entity is concerned, the table is the place.
    let place = [id, entity ?? table ?? "", property ?? ""]
    return hexadecimal(Digests.sha256(Array(place.joined(separator: "\0").utf8)).prefix(8))
  }
}

extension Finding {
  /// Findings are listed by check, entity, property and table.
  package static func precedes(_ left: Self, _ right: Self) -> Bool {
    for (first, second) in zip(left.order, right.order) where first != second { return codeUnitsPrecede(first, second) }
    return false
  }

  private var order: [String] { [id, entity ?? "", property ?? "", table ?? ""] }
}
