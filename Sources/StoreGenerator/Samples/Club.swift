import StoreDataModel

extension SampleModels {
  /// A sports club: every kind of relationship that checks know, with bounds and delete rules.
  package static func club() throws -> Model {
    try Model(
      entities: [
        Entity(
          name: "League",
          properties: [
            .attribute("name", .string),
            .toMany(
              "teams", "Team", inverse: "league", count: 1...(.max), optional: false, deleteRule: .cascade),
          ]),
        Entity(
          name: "Match",
          properties: [
            .attribute("name", .string),
            .toMany("teams", "Team", inverse: "matches", count: 2...2, ordered: true, optional: false),
          ]),
        Entity(
          name: "Passport",
          properties: [.attribute("number", .string), .toOne("holder", "Person", inverse: "passport")]),
        Entity(
          name: "Person",
          properties: [
            .toMany("friends", "Person", inverse: "friends"), .attribute("name", .string),
            .toOne("passport", "Passport", inverse: "holder", deleteRule: .cascade),
          ]),
        Entity(name: "Coach", parent: "Person", properties: [.toOne("team", "Team", inverse: "coach")]),
        Entity(name: "Player", parent: "Person", properties: [.toOne("team", "Team", inverse: "players")]),
        Entity(
          name: "Team",
          properties: [
            .toOne("coach", "Coach", inverse: "team"),
            .toOne("league", "League", inverse: "teams", optional: false),
            .toMany("matches", "Match", inverse: "teams"), .attribute("name", .string),
            .toMany("players", "Player", inverse: "team", count: 0...3, ordered: true),
            .toMany("trophies", "Trophy"),
          ]),
        Entity(name: "Trophy", properties: [.attribute("name", .string)]),
      ],
      versionIdentifiers: ["1"])
  }
}

extension SampleStores {
  /// A club store: 1 league of 3 teams, 3 coaches and 6 players, 4 passports, 2 matches, 2 trophies.
  package static func writeClub(to path: String) throws {
    let store = try StoreWriter(
      creating: path,
      StoreDescription(
        model: try SampleModels.club(), framework: 1526, uuid: "5C0FFEE0-0000-4000-8000-0000000C10B0",
        usesWAL: false))
    let league = try store.insert("League", ["name": "First"])
    let teams = try ["Reds", "Blues", "Greens"].map { try store.insert("Team", ["name": .text($0)]) }
    let coaches = try (1...3).map { try store.insert("Coach", ["name": .text("Coach \($0)")]) }
    let players = try (1...6).map { try store.insert("Player", ["name": .text("Player \($0)")]) }
    for (number, team) in teams.enumerated() {
      try store.link(team, "league", to: league)
      try store.link(coaches[number], "team", to: team)
      for player in players[2 * number...2 * number + 1] { try store.link(player, "team", to: team) }
    }
    for (number, person) in [coaches[0], players[0], players[1], players[2]].enumerated() {
      let passport = try store.insert("Passport", ["number": .text("P\(number + 1)")])
      try store.link(person, "passport", to: passport)
    }
    try store.link(coaches[0], "friends", to: coaches[1])
    try store.link(players[0], "friends", to: players[1])
    for number in 0...1 {
      let match = try store.insert("Match", ["name": .text("Round \(number + 1)")])
      for team in teams[number...number + 1] { try store.link(match, "teams", to: team) }
    }
    for name in ["Cup", "Shield"] {
      try store.link(teams[0], "trophies", to: try store.insert("Trophy", ["name": .text(name)]))
    }
    try store.finish()
  }
}
