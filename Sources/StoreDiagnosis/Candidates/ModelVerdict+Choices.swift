extension ModelVerdict {
  /// The first choice for each row in the way, as arguments of one command. Empty where a row has none that can be
  /// pasted, or where two choices exclude each other: the store would not open then.
  public var firstChoices: [String] {
    var arguments: [String] = []
    var given: [String: String] = [:]
    var seen: Set<[String]> = []
    for decision in decisions where decision.stops {
      guard let choice = decision.choices.first(where: { !$0.options.contains("OWN=OTHER") }) else { return [] }
      guard seen.insert(choice.options).inserted else { continue }
      for (option, value) in zip(choice.options, choice.options.dropFirst()) where Self.givenOnce.contains(option) {
        if let other = given.updateValue(value, forKey: option), other != value { return [] }
      }
      arguments += choice.options
    }
    return arguments
  }

  /// Options of `repair` that hold one value for the whole command.
  private static let givenOnce: Set = [
    "--dangling", "--keep", "--nulls", "--others", "--compare", "--relink", "--match", "--separator",
  ]
}
