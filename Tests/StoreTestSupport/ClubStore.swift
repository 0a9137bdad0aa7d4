import StoreGenerator

/// A healthy club store of any size: `teams` teams, each with a coach, two players and a trophy, a passport for every
/// first player, a match for every two neighbouring teams, and players in pairs of friends.
package struct ClubStore {
  package let path: String
  package let teams: Int
  /// Keys in `ZPERSON`: first the coaches, then two players a team.
  package var coaches: [Int64] { Array(1...Int64(teams)) }
  /// Keys of the players.
  package var players: [Int64] { Array(Int64(teams) + 1...Int64(teams) * 3) }

  package init(at path: String, teams: Int) throws {
    self.path = path
    self.teams = teams
    let store = try StoreWriter(
      creating: path, StoreDescription(model: try SampleModels.club(), framework: 1526, usesWAL: false))
    let league = try store.insert("League", ["name": "First"])
    let all = try (1...teams).map { try store.insert("Team", ["name": .text("Team \($0)")]) }
    let coaches = try (1...teams).map { try store.insert("Coach", ["name": .text("Coach \($0)")]) }
    for (number, team) in all.enumerated() {
      try store.link(team, "league", to: league)
      try store.link(team, "coach", to: coaches[number])
      try store.link(team, "trophies", to: try store.insert("Trophy", ["name": "Cup"]))
    }
    for team in all {
      let pair = try (1...2).map { try store.insert("Player", ["name": .text("Player \($0)")]) }
      for player in pair { try store.link(player, "team", to: team) }
      try store.link(pair[0], "passport", to: try store.insert("Passport", ["number": "P"]))
      try store.link(pair[0], "friends", to: pair[1])
    }
    for number in 1..<teams {
      let match = try store.insert("Match", ["name": .text("Round \(number)")])
      for team in all[number - 1...number] { try store.link(match, "teams", to: team) }
    }
    try store.finish()
  }
}
