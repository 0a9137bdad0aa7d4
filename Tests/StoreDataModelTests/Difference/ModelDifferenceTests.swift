import StoreDataModel
import TestSupport
import Testing

@Suite struct ModelDifferenceTests {
  @Test(arguments: examples)
  func tellsEachChangeAtItsPlaceAndWhetherItIsHashed(_ example: Example) throws {
    let difference = ModelDifference(
      from: try ModelNotation.model(example.old), to: try ModelNotation.model(example.new))
    #expect(difference.changes.map(\.line) == example.changes)
  }

  @Test func suggestsLikelyRenamesConservatively() throws {
    let difference = ModelDifference(
      from: try ModelNotation.model([
        "Note: body String?; a I16=0; b I16=0; mark Bool=0", "Keyword: name String; weight I16=0", "Page: title String",
      ]),
      to: try ModelNotation.model([
        "Note: bodyText String?; c I16=0; d I16=0; mark String", "Expertise: name String; weight I16=0",
        "Page: heading String",
      ]))
    #expect(
      difference.likelyRenames.map(\.explanation) == [
        "'Keyword' and 'Expertise' have the same properties; only the renaming identifier 'Keyword' keeps what is stored",
        "'body' and 'bodyText' have the same type and options and similar names; only the renaming identifier 'body' "
          + "keeps what is stored",
        "'title' and 'heading' have the same type and options, and no other such property was removed or added here; only "
          + "the renaming identifier 'title' keeps what is stored",
      ])
  }

  @Test func proposesTheOldestNameAsIdentifier() throws {
    let difference = ModelDifference(
      from: try ModelNotation.model(["Note: text String was(body)"]),
      to: try ModelNotation.model(["Note: words String"])
    )
    #expect(difference.likelyRenames.map(\.renamingIdentifier) == ["body"])
  }

  @Test func saysWhatAPropertyWasThroughTheInheritance() throws {
    let difference = ModelDifference(
      from: try ModelNotation.model(["Base: uuid String?", "Asset<Base: kind I16=0"]),
      to: try ModelNotation.model(["Photo was(Asset): identifier String? was(uuid); kind I16=0; new I16=0"]))
    #expect(difference.sourceEntity(of: "Photo") == "Asset")
    #expect(difference.destinationEntity(of: "Base") == nil)
    #expect(difference.sourceProperties(of: "Photo") == ["identifier": "uuid", "kind": "kind"])
  }

  @Test func listsWhatBelongsToTheModelLast() throws {
    let old = try Model(entities: [Entity(name: "A")], configurations: ["Local": ["A"]], versionIdentifiers: ["1"])
    let new = try Model(
      entities: [Entity(name: "A", isAbstract: true), Entity(name: "B")],
      configurations: ["Local": ["B"], "Cloud": []],
      versionIdentifiers: ["2"])
    #expect(
      ModelDifference(from: old, to: new).changes.map(\.line) == [
        "A abstract true #", ">B entityAdded #", "model versionIdentifiers from: [1], to: [2]",
        "model configurationAdded Cloud",
        "model configurationMembers Local, added: [B], removed: [A]",
      ])
  }

  struct Example: Sendable, CustomTestStringConvertible {
    var old: [String]
    var new: [String]
    var changes: [String]
    var testDescription: String { new.joined(separator: " | ") }

    init(_ old: [String], _ new: [String], _ changes: [String]) {
      (self.old, self.new, self.changes) = (old, new, changes)
    }
  }

  static let examples = [
    Example(["Note: a String"], ["Note: a String"], []),
    Example(["N: a I16=0"], ["N: a I16=5"], ["N.a defaultValue from: integer 0, to: integer 5"]),
    Example(["N: a I16?"], ["N: a I64"], ["N.a optional false #", "N.a type from: integer16, to: integer64 #"]),
    Example(["N: a String"], ["N: b String was(a)"], ["N.a>N.b renamed attribute #"]),
    Example(["N: b String was(a)"], ["N: c String was(a)"], ["N.b>N.c renamed attribute #"]),
    Example(["N: b String was(a)"], ["N: b String"], ["N.b renamingIdentifier from: a, to: nil"]),
    Example(["N: a String"], ["N: c String was(b)"], ["N.a>N removed attribute #", "N>N.c added attribute #"]),
    // Names swapped with renaming identifiers: the hashes stay the same.
    Example(
      ["N: a String; b String"], ["N: a String was(b); b String was(a)"],
      ["N.b>N.a renamed attribute", "N.a>N.b renamed attribute"]),
    Example(
      ["A: x String", "B: y String"], ["A was(B): x String", "B was(A): y String"],
      [
        "B>A entityRenamed", "B>A.x added attribute", "B.y>A removed attribute", "A>B entityRenamed",
        "A.x>B removed attribute", "A>B.y added attribute",
      ]),
    Example(
      ["N: a String"], ["N mod(2) index(a): a String"],
      ["N entityModifier from: nil, to: 2 #", "N indexAdded by_a"]),
    Example(
      ["N: a String; t Bool=0 transient"], ["N: a String; t I16=0 transient"],
      [
        "N.t type from: boolean, to: integer16", "N.t defaultValue from: boolean false, to: integer 0",
      ]),
    // A change of a parent moves the hashes of its children, and is listed once.
    Example(
      ["Doc: n String", "Text<Doc: b String?"], ["Doc: n String?", "Text<Doc: b String?"], ["Doc.n optional true #"]),
    Example(
      ["Doc: n String", "Text<Doc: b String?"], ["Paper was(Doc): n String", "Text<Paper: b String?"],
      ["Doc>Paper entityRenamed #"]),
    Example(
      ["M: t String?", "A<M: d Bool", "B<M: d Bool"], ["M: t String?; d Bool", "A<M", "B<M"],
      ["A.d>M.d moved attribute, up #", "B.d>M.d moved attribute, up #"]),
    Example(
      ["M: t String?; d Bool", "A<M", "B<M"], ["M: t String?", "A<M: d Bool", "B<M"],
      ["M.d>A.d moved attribute, down #"]),
    Example(
      ["Base: uuid String?", "Asset<Base: kind I16=0"], ["Asset: uuid String?; kind I16=0"],
      ["Asset parent from: Base, to: nil #", "Base.uuid>Asset.uuid moved attribute, down #", "Base> entityRemoved #"]),
    Example(
      ["Share: u String?"], ["Base abstract: u String?; v String", "Share<Base: k I16=0"],
      [
        ">Base entityAdded #", "Share.u>Base.u moved attribute, up #", ">Base.v added attribute #",
        "Share parent from: nil, to: Base #", "Share>Share.k added attribute #",
      ]),
    Example(
      ["P: a String", "C<P: a String"], ["P: a String", "C<P"], ["C.a>P.a moved attribute, redeclarationRemoved"]),
    Example(
      ["P: a String", "C<P"], ["P: a String", "C<P: a String?"],
      ["P.a>C.a moved attribute, redeclared #", "P.a>C.a optional true #"]),
    Example(
      ["F: n ->>N?~f", "N: f ->F?~n"], ["F: n ->>N?~f delete(cascade)", "N: f ->F?~n"],
      ["F.n deleteRule from: nullify, to: cascade"]),
    Example(
      ["M: favs ->>M?~folder; folder ->M?~favs"], ["M: favs ->>M?~folders; folders ->>M?~favs was(folder)"],
      [
        "M.favs inverse from: folder, to: folders #", "M.folder>M.folders renamed relationship #",
        "M.folder>M.folders maximumCount from: 1, to: 0 #",
      ]),
    Example(
      ["Post: color String?", "Color: hex String?"], ["Post: color ->Color?", "Color: hex String?"],
      ["Post.color propertyKind from: attribute, to: relationship #"]),
    Example(
      ["L unique(a,b) unique(c): a String?; b String?; c String?"],
      ["L unique(b,z) unique(c,b): z String? was(a); b String?; c String?"],
      [
        "L constraintChanged from: [a, b], to: [b, z] #", "L constraintRemoved [c] #",
        "L constraintAdded [c, b] #", "L.a>L.z renamed attribute #",
      ]),
    // The name of a composite attribute is not hashed, but its elements are.
    Example(
      ["N: p Composite of(lat Double?)"], ["N: q Composite of(lat Double?,lon Double?) was(p)"],
      ["N.p>N.q renamed attribute #", "N.p>N.q elements added: [lon], removed: [], changed: [] #"]),
    Example(
      ["N: p Composite of(lat Double?=0)"], ["N: p Composite of(lat Double?=1)"],
      ["N.p elements added: [], removed: [], changed: [lat]"]),
  ]
}

extension ModelChange {
  /// "A.x>B.y kind #": the places in both models, or one where they have the same name, and "#" if the change enters
  /// the hash.
  fileprivate var line: String {
    let old = [place.sourceEntity, place.sourceProperty].compactMap { $0 }.joined(separator: ".")
    let new = [place.destinationEntity, place.destinationProperty].compactMap { $0 }.joined(separator: ".")
    var kind = "\(kind)"
    for noise in ["Optional(", "AttributeType.", "StoreDataModel.", "ModelChange.", "\"", ")"] {
      kind = kind.replacing(noise, with: "")
    }
    for noise in ["DefaultValue.", "PropertyKind.", "Movement.", "Relationship.", "DeleteRule."] {
      kind = kind.replacing(noise, with: "")
    }
    kind = kind.replacing("(", with: " ")
    return "\(old == new ? (old.isEmpty ? "model" : old) : old + ">" + new) \(kind)\(entersHash ? " #" : "")"
  }
}
