import StoreWords
import StoreDigests

/// One thing that is wrong with a store: what a check found at one property of one entity, in however many rows.
public struct Finding: Sendable, Equatable {
  /// The check's id, "SD401".
  public var id: String
  /// The check's name, "dangling-reference".
  public var name: String
  /// How bad it is.
  public var severity: Severity
  /// The entity, by its name in `Z_PRIMARYKEY`; for a property the one that declares it. Nil for the file as a whole.
  public var entity: String?
  /// The table it was found in.
  public var table: String?
  /// The attribute or relationship.
  public var property: String?
  /// How many rows (or files, or pages); 1 for something there is one of.
  public var count: Int64
  /// The first of them.
  public var examples: [Example]
  /// What is wrong; lower case, no full stop, no values from rows but keys.
  public var message: String
  /// Error codes an app may meet because of it; `storedoctor explain` tells what they mean.
  public var blocks: [Int]
  /// Repairs that treat it.
  public var remedies: [Remedy]
  /// What it rests on; `assumed` where the store has no model and the relationship is only likely.
  public var basis: Basis

  /// A finding as a check, or a test, puts it together.
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
    /// `Z_PK`; nil where it is NULL, or the thing is no row.
    public var primaryKey: Int64?
    /// What else tells it apart: keys, numbers and names, never values.
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
    /// The fragment of a recipe that asks for it.
    public var recipe: String
    /// Whether `--safe` does it too.
    public var isSafe: Bool

    /// A repair to be asked for by name unless it is safe.
    public init(_ recipe: String, isSafe: Bool = false) {
      self.recipe = recipe
      self.isSafe = isSafe
    }
  }

  /// What this finding is known by in a baseline: 16 hex digits that depend on the check and the place alone, so that
  /// they stay the same while rows come and go.
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
