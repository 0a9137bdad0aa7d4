import StoreScanning
import StoreYAML

extension RecipeOptions {
  /// A file's recipe with these options added.
  ///
  /// - Parameter name: what an option is called in mistakes.
  /// - Throws: `RecipeMistakes`, each naming its option.
  package func recipe(
    addingTo file: Recipe = Recipe(), naming name: @escaping (Name) -> String = { $0.rawValue }
  ) throws(RecipeMistakes) -> Recipe {
    var reading = OptionReading(options: self, name: name)
    let own = reading.recipe()
    guard reading.mistakes.isEmpty else { throw RecipeMistakes(reading.mistakes) }
    var recipe = safe ? file.adding(.safe) : file
    recipe = recipe.adding(own)
    return recipe
  }
}

extension Recipe {
  /// Both recipes together. `dangling`, `wrongEntity` and `trimHistory` can hold one choice: the other recipe's wins, but
  /// ``Dangling/nullifyOptional`` never replaces another choice.
  package func adding(_ other: Recipe) -> Recipe {
    var both = self
    both.dedupe += other.dedupe
    both.backfill += other.backfill
    both.relink += other.relink
    both.junctions += other.junctions
    both.inverses += other.inverses
    both.restore += other.restore
    both.merge += other.merge
    both.structure.formUnion(other.structure)
    if let choice = other.dangling, choice != .nullifyOptional || both.dangling == nil { both.dangling = choice }
    both.wrongEntity = other.wrongEntity ?? both.wrongEntity
    both.trimHistory = other.trimHistory ?? both.trimHistory
    both.compact = both.compact || other.compact
    return both
  }
}

/// Turns options into YAML nodes, so that there is only one reader for all words.
private struct OptionReading {
  let options: RecipeOptions
  /// The name of an option.
  let name: (RecipeOptions.Name) -> String
  var mistakes: [RecipeMistake] = []

  mutating func recipe() -> Recipe {
    var recipe = Recipe()
    recipe.dedupe = options.dedupe.compactMap { dedupe($0) }
    recipe.backfill = backfills()
    recipe.relink = options.relink.flatMap { relink($0) }.map { [$0] } ?? []
    recipe.junctions = options.junctions.compactMap { junction($0) }
    recipe.inverses = options.inverses.compactMap { inverse($0) }
    for list in options.structure {
      for word in list.split(separator: ",", omittingEmptySubsequences: false) {
        if let part = read(name(.structure), body: { $0.word(.text(String(word)), as: Recipe.Structure.self) }) {
          recipe.structure.insert(part)
        }
      }
    }
    recipe.dangling = options.dangling.flatMap { word in
      read(name(.dangling)) { $0.word(.text(word), as: Recipe.Dangling.self) }
    }
    recipe.wrongEntity = options.wrongEntity.flatMap { word in
      read(name(.wrongEntity)) { $0.word(.text(word), as: Recipe.WrongEntity.self) }
    }
    recipe.trimHistory = options.trimHistory.flatMap { historyTrim($0) }
    recipe.compact = options.compact
    refuseStrays()
    return recipe
  }

  /// Refuses options that modify another option which was not given.
  private mutating func refuseStrays() {
    if options.dedupe.isEmpty {
      let strays: [(RecipeOptions.Name, String?)] = [
        (.nulls, options.nulls), (.keep, options.keep), (.others, options.others),
      ]
      for (stray, value) in strays where value != nil {
        mistake("\(name(stray)) is about \(name(.dedupe)), which is not given")
      }
      if options.compare != nil, options.relink == nil {
        mistake("\(name(.compare)) is about \(name(.dedupe)) or \(name(.relink)), and neither is given")
      }
    }
    if options.relink == nil {
      let strays: [(RecipeOptions.Name, Bool)] = [
        (.match, !options.match.isEmpty), (.separator, options.separator != nil),
      ]
      for (stray, isGiven) in strays where isGiven {
        mistake("\(name(stray)) is about \(name(.relink)), which is not given")
      }
    }
  }

  // MARK: Items

  private mutating func dedupe(_ text: String) -> Recipe.Dedupe? {
    let option = "\(name(.dedupe)) \(text)"
    guard let key = UniqueKey(text) else {
      mistake("\(option): an entity and its properties are expected, as in Trip.name,start")
      return nil
    }
    let members: [(String, YAMLNode?)] = [
      ("entity", .text(key.entity)), ("by", .list(key.properties.map { .text($0) })),
      ("compare", options.compare.map { .text($0) }), ("nulls", options.nulls.map { .text($0) }),
      ("keep", options.keep.map { choice($0, of: ["newest", "oldest"]) }),
      ("others", options.others.map { choice($0, of: ["rename"]) }),
    ]
    return read(option) { $0.dedupe(.map(members)) }
  }

  /// Reads `newest:updatedAt` as `{newest: updatedAt}`; anything else as a word.
  private func choice(_ text: String, of names: [String]) -> YAMLNode {
    for name in names where text.hasPrefix(name + ":") {
      return .map([(name, .text(String(text.dropFirst(name.count + 1))))])
    }
    return .text(text)
  }

  /// Collects the sources of each attribute from all options that give one.
  private mutating func backfills() -> [Recipe.Backfill] {
    let given: [(RecipeOptions.Name, String, [String])] = [
      (.backfill, "value", options.backfill), (.backfillFrom, "from", options.backfillFrom),
      (.backfillGroup, "group", options.backfillGroup),
      (.backfillExpression, "expression", options.backfillExpression),
      (.backfillGenerate, "generate", options.backfillGenerate),
    ]
    var order: [String] = []
    var sources: [String: [(option: RecipeOptions.Name, key: String, value: YAMLNode)]] = [:]
    for (option, key, texts) in given {
      for text in texts {
        guard let (place, value) = assignment(text) else {
          mistake(
            "\(name(option)) \(text): an entity, an attribute and where its value comes from are expected, as in Note.title=…"
          )
          continue
        }
        if sources[place] == nil { order.append(place) }
        let names = value.split(separator: ",", omittingEmptySubsequences: false).map { YAMLNode.text(String($0)) }
        let node: YAMLNode = key == "group" ? .list(names) : .text(value)
        if sources[place]?.contains(where: { $0.key == key }) == true {
          mistake("\(name(option)) \(text): '\(place)' is there already")
        }
        sources[place, default: []].append((option, key, node))
      }
    }
    return order.compactMap { place in
      guard let (entity, attribute) = property(place), let parts = sources[place] else { return nil }
      let members =
        [("entity", YAMLNode.text(entity)), ("attribute", .text(attribute))] + parts.map { ($0.key, $0.value) }
      return read("\(name(parts[0].option)) \(place)") { $0.backfill(.map(members)) }
    }
  }

  private mutating func relink(_ text: String) -> Recipe.Relink? {
    let option = "\(name(.relink)) \(text)"
    guard let (entity, relationship) = property(text) else {
      mistake("\(option): an entity and a relationship are expected, as in Note.folder")
      return nil
    }
    var pairs: [(String, YAMLNode?)] = []
    for match in options.match {
      guard let (own, destination) = halves(match, at: "=") else {
        mistake("\(name(.match)) \(match): two attributes are expected, as in folderName=name")
        return nil
      }
      if pairs.contains(where: { $0.0 == own }) { mistake("\(name(.match)) \(match): '\(own)' is there already") }
      pairs.append((own, .text(destination)))
    }
    let members: [(String, YAMLNode?)] = [
      ("entity", .text(entity)), ("relationship", .text(relationship)),
      pairs.isEmpty ? ("from", .text("inverse")) : ("match", .map(pairs)),
      // With `dedupe`, `compare` applies to that; it is passed to the relink only if that compares values too.
      ("compare", pairs.isEmpty && !options.dedupe.isEmpty ? nil : options.compare.map { .text($0) }),
      ("separator", options.separator.map { .text($0) }),
    ]
    return read(option) { $0.relink(.map(members)) }
  }

  private mutating func junction(_ text: String) -> Recipe.Junction? {
    let option = "\(name(.junctions)) \(text)"
    guard let (from, target) = assignment(text), let (entity, ends) = property(target),
      let (source, destination) = halves(ends, at: ",")
    else {
      mistake(
        "\(option): a relationship, an entity and its two ends are expected, as in "
          + "Student.courses=Enrollment.student,course")
      return nil
    }
    return read(option) {
      $0.junction(
        .map([
          ("from", .text(from)), ("entity", .text(entity)), ("source", .text(source)),
          ("destination", .text(destination)),
        ]))
    }
  }

  private mutating func inverse(_ text: String) -> Recipe.Inverse? {
    let option = "\(name(.inverses)) \(text)"
    guard let (place, side) = assignment(text), let (entity, relationship) = property(place) else {
      mistake("\(option): an entity, a relationship and a side are expected, as in Person.passport=this")
      return nil
    }
    return read(option) {
      $0.inverse(.map([("entity", .text(entity)), ("relationship", .text(relationship)), ("from", .text(side))]))
    }
  }

  private mutating func historyTrim(_ text: String) -> Recipe.HistoryTrim? {
    let option = "\(name(.trimHistory)) \(text)"
    guard let (word, value) = halves(text, at: ":"), ["before", "keep"].contains(word) else {
      mistake("\(option): before:2026-03-01 or keep:1000 is expected")
      return nil
    }
    // A number is not quoted.
    let node = YAMLNode(line: 0, .text(value, isPlain: word == "keep"))
    return read(option) { $0.historyTrim(.map([(word, node)])) }
  }

  // MARK: Texts

  /// Splits `Note.title=Untitled`; the value may contain "=", and may be empty.
  private func assignment(_ text: String) -> (place: String, value: String)? {
    guard let sign = text.firstIndex(of: "="), property(String(text[..<sign])) != nil else { return nil }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  /// Splits `Note.title` at the first dot; names of entities contain none.
  private func property(_ text: String) -> (entity: String, property: String)? { halves(text, at: ".") }

  private func halves(_ text: String, at sign: Character) -> (String, String)? {
    guard let place = text.firstIndex(of: sign) else { return nil }
    let (first, second) = (String(text[..<place]), String(text[text.index(after: place)...]))
    return first.isEmpty || second.isEmpty ? nil : (first, second)
  }

  private mutating func mistake(_ message: String) { mistakes.append(RecipeMistake(line: nil, message)) }

  /// Reads nodes with a `RecipeReader`; its mistakes are reported for the option.
  private mutating func read<Value>(_ option: String, body: (inout RecipeReader) -> Value?) -> Value? {
    var reader = RecipeReader()
    let value = body(&reader)
    for mistake in reader.mistakes { self.mistake("\(option): \(mistake.message)") }
    return value
  }
}

extension YAMLNode {
  /// A node without a line. It counts as quoted, because on a command line `null` and an empty text are texts.
  fileprivate static func text(_ text: String) -> YAMLNode { YAMLNode(line: 0, .text(text, isPlain: false)) }

  fileprivate static func list(_ elements: [YAMLNode]) -> YAMLNode { YAMLNode(line: 0, .list(elements)) }

  /// A map of the members that are not nil, without lines.
  fileprivate static func map(_ members: [(String, YAMLNode?)]) -> YAMLNode {
    YAMLNode(
      line: 0,
      .map(members.compactMap { name, value in value.map { Member(name: name, line: 0, value: $0) } }))
  }
}
