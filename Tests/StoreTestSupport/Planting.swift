import StoreSQLite
import TestSupport

/// Plants each kind of defect at different rows.
package struct Planting {
  package let database: Connection
  package private(set) var expected: [String: [Int64]] = [:]
  private let store: ClubStore
  private var random: SeededGenerator
  private var teams: [Int64], secondPlayers: [Int64], firstPlayers: [Int64], trophies: [Int64], matches: [Int64]

  package init(_ store: ClubStore, _ seed: UInt64) throws {
    self.store = store
    random = SeededGenerator(seed: seed)
    database = try Connection(writing: store.path, create: false)
    let all = Array(1...Int64(store.teams))
    teams = all.shuffled(using: &random)
    trophies = all.shuffled(using: &random)
    firstPlayers = all.map { Int64(store.teams) + $0 * 2 - 1 }.shuffled(using: &random)
    secondPlayers = all.map { Int64(store.teams) + $0 * 2 }.shuffled(using: &random)
    matches = all.dropLast().shuffled(using: &random)
  }

  /// Takes up to one row in eight, and at least one, that was not used before.
  private mutating func take(_ rows: WritableKeyPath<Self, [Int64]>) -> [Int64] {
    let count = Int.random(in: 1...max(1, store.teams / 8), using: &random)
    let taken = self[keyPath: rows].prefix(count)
    self[keyPath: rows].removeFirst(taken.count)
    return Array(taken)
  }

  private mutating func plant(_ place: String, _ rows: [Int64], _ sql: (Int64) -> String) throws {
    for row in rows { try database.execute(sql(row)) }
    expected[place, default: []] += rows
  }

  package mutating func plantAll() throws {
    try database.execute("BEGIN")
    try plant("SD401 Team.trophies", take(\.trophies)) {
      "UPDATE ZTROPHY SET Z7TROPHIES = 1000000 + \($0) WHERE Z_PK = \($0)"
    }
    try plant("SD401 Player.team", take(\.secondPlayers)) { "UPDATE ZPERSON SET ZTEAM1 = -\($0) WHERE Z_PK = \($0)" }
    // Another team's player as the coach; the former coach still has the team, which no longer has him.
    let (coached, player) = (take(\.teams), store.players[0])
    try plant("SD402 Team.coach", coached) { "UPDATE ZTEAM SET ZCOACH = \(player) WHERE Z_PK = \($0)" }
    expected["SD406 Coach.team"] = coached
    let mistaken = take(\.firstPlayers)
    try plant("SD403 Passport.holder", mistaken.map(passport)) {
      "UPDATE ZPASSPORT SET Z4_HOLDER = 4 WHERE Z_PK = \($0)"
    }
    try plant("SD404 Match.teams", take(\.matches)) { "INSERT INTO Z_2TEAMS VALUES (\($0), 5000000, 99999)" }
    try plant("SD405 Person.friends", take(\.firstPlayers)) { "DELETE FROM Z_4FRIENDS WHERE REFLEXIVE = \($0)" }
    try plant("SD406 Person.passport", take(\.firstPlayers)) {
      "UPDATE ZPASSPORT SET ZHOLDER = NULL, Z4_HOLDER = NULL WHERE ZHOLDER = \($0)"
    }
    try plant("SD407 Team.league", take(\.teams)) { "UPDATE ZTEAM SET ZLEAGUE = NULL WHERE Z_PK = \($0)" }
    try plant("SD408 Match.teams", take(\.matches)) {
      "DELETE FROM Z_2TEAMS WHERE Z_2MATCHES = \($0) AND Z_7TEAMS = \($0)"
    }
    try plant("SD409 Team.players", take(\.secondPlayers)) { "UPDATE ZPERSON SET Z_FOK_TEAM = NULL WHERE Z_PK = \($0)" }
    try plant("SD409 Team.players", take(\.secondPlayers)) { "UPDATE ZPERSON SET Z_FOK_TEAM = 2048 WHERE Z_PK = \($0)" }
    let unowned = (1...3).map { 1_000_000 + $0 }.map(Int64.init)
    try plant("SD410 Passport", unowned) {
      "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT) VALUES (\($0), 3, 1)"
    }
    try database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 10000000 WHERE Z_NAME = 'Passport'")
    try plant("SD211 Trophy", take(\.trophies)) { "UPDATE ZTROPHY SET Z_OPT = 0 WHERE Z_PK = \($0)" }
    try plant("SD209 Trophy", take(\.trophies)) { "UPDATE ZTROPHY SET Z_ENT = 99 WHERE Z_PK = \($0)" }
    try plant("SD210 Trophy", take(\.trophies)) { "UPDATE ZTROPHY SET Z_ENT = 1 WHERE Z_PK = \($0)" }
    try database.execute("COMMIT")
  }

  /// The passport of a team's first player.
  private func passport(_ player: Int64) -> Int64 { (player - Int64(store.teams) + 1) / 2 }
}
