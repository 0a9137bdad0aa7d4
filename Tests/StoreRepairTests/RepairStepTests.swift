@testable import StoreRepair
@testable import StoreScanning
import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// Single repairs on small stores, with the exact rows of afterwards.
@Suite struct RepairStepTests {
  /// The highest key is raised to that of the rows, never lowered, and a subentity has none of its own.
  @Test func highWaterIsRaisedAndNeverLowered() throws {
    let injury = """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Trip';
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME IN ('Country', 'Hike');
      """
    let store = try RepairBench(TripModel.model(), injury: injury) { store in
      try store.insert("Country")
      for _ in 1...3 { try store.insert("Trip") }
    }
    let decision = try store.bench.highWater()
    #expect(
      decision.operations.map(\.summary).sorted() == ["set Z_MAX of Hike from 9 to 0", "set Z_MAX of Trip from 1 to 3"])
    try store.perform(decision)
    #expect(
      try store.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Country', 'Hike', 'Trip') ORDER BY 1")
        == ["Country|9", "Hike|0", "Trip|3"])
  }

  private func join(_ relationship: String, _ store: RepairBench) throws -> JoinLinks.Place {
    try #require(
      store.bench.scan().joinLinks().map(\.place).first {
        [$0.source, $0.destination].contains { $0.relationship.layout.name == relationship }
      })
  }

  @Test func orphansOfBothEndsGo() throws {
    let store = try RepairBench(TripModel.model()) { store in
      try store.link(store.insert("Trip"), "tags", to: store.insert("Tag"))
    }
    let place = try join("tags", store)
    let columns = "\(place.source.column), \(place.destination.column)"
    try store.bench.connection.execute("INSERT INTO \(place.table) (\(columns)) VALUES (1, 99), (98, 1)")
    let decision = try store.bench.joinOrphans()
    #expect(decision.operations.map(\.expectedChanges) == [2])
    try store.perform(decision)
    #expect(try store.rows("SELECT \(columns) FROM \(place.table)") == ["1|1"])
  }

  /// Trips 1 and 2 name each other; of 2 and 3 one direction is lost.
  @Test func onlyMissingMirrorsAreAdded() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let trips = try (1...3).map { _ in try store.insert("Trip") }
      try store.link(trips[0], "related", to: trips[1])
      try store.link(trips[1], "related", to: trips[2])
    }
    let place = try join("related", store)
    let columns = "\(place.source.column), \(place.destination.column)"
    let all = try store.rows("SELECT \(columns) FROM \(place.table) ORDER BY 1, 2")
    try #require(all == ["1|2", "2|1", "2|3", "3|2"])
    try store.bench.connection.execute(
      "DELETE FROM \(place.table) WHERE \(place.source.column) = 3 AND \(place.destination.column) = 2")
    let decision = try store.bench.selfLinkMirrors()
    #expect(decision.operations.map(\.summary) == ["add 1 mirror of links of Trip.related"])
    try store.perform(decision)
    #expect(try store.rows("SELECT \(columns) FROM \(place.table) ORDER BY 1, 2") == all)
    #expect(try store.bench.selfLinkMirrors().operations.isEmpty)
  }

  @Test(
    arguments: [(nil, 2048), (1, 2048), (2048, 3072), (2500, 3072), (3071, 3072), (.max, .max)] as [(Int64?, Int64)])
  func orderKeysGoUpByTheLeast(_ highest: Int64?, _ next: Int64) { #expect(OrderKey.next(after: highest) == next) }

  /// An empty text is no value, and a one-to-one link is one link, though both sides have a key of it.
  @Test(arguments: [DedupeRequest.Keep.mostComplete, .mostLinked]) func whatCountsForTheSurvivor(
    _ keep: DedupeRequest.Keep
  ) throws {
    let store = try RepairBench(TripModel.model()) { store in
      let first = try store.insert("Trip", ["name": "Rome", "place": ""])
      try store.link(store.insert("Ticket"), "trip", to: first)
      let second = try store.insert("Trip", ["name": "Rome", "updatedAt": .date(20)])
      for _ in 1...2 { try store.link(store.insert("Note"), "trip", to: second) }
    }
    if keep == .mostComplete { try store.bench.connection.execute("UPDATE ZTRIP SET ZTICKET = NULL") }
    try store.dedupe("Trip", ["name"]) { $0.keep = keep }
    #expect(try store.rows("SELECT Z_PK FROM ZTRIP") == ["2"])
  }

  @Test func aMergeKeepsToTheMostThatTheModelAllows() throws {
    let model = try TripModel.model { $0.changeRelationship("Country", "trips") { $0.maximumCount = 2 } }
    let store = try RepairBench(model) { store in
      for trips in [2, 1] {
        let country = try store.insert("Country", ["name": "Peru"])
        for _ in 0..<trips { try store.link(store.insert("Trip"), "country", to: country) }
      }
    }
    #expect(
      try store.decide("Country", ["name"]).refusals == [
        "Country.trips [1]: 1 object would have more than 2 objects in 'Country.trips'; leave these out, or change "
          + "their links first"
      ])
  }

  /// A note that answers its own twin: its link goes with the twin, and one that the twin had takes its place.
  @Test(arguments: [(true, "1|3"), (false, "1|NULL")]) func aLinkToTheTwinGivesWay(_ hasOther: Bool, _ left: String)
    throws
  {
    let store = try RepairBench(TripModel.model()) { store in
      let notes = try ["same", "same", "other"].map { try store.insert("Note", ["text": .text($0)]) }
      try store.link(notes[0], "question", to: notes[1])
      if hasOther { try store.link(notes[1], "question", to: notes[2]) }
    }
    try store.dedupe("Note", ["text"]) { $0.keep = .first }
    #expect(try store.rows("SELECT Z_PK, ZQUESTION FROM ZNOTE WHERE Z_PK < 3") == [left])
  }

  /// A minimum count binds an optional list only where it has members at all.
  @Test func anOptionalListMayBecomeEmpty() throws {
    let model = try TripModel.model { $0.changeRelationship("Tag", "trips") { $0.minimumCount = 2 } }
    let store = try RepairBench(model) { store in
      let tag = try store.insert("Tag")
      for _ in 1...2 { try store.link(store.insert("Trip"), "tags", to: tag) }
    }
    #expect(try deletion(of: ["ZTRIP": [1, 2]], in: store.bench, for: .dedupe).refusals == [])
    #expect(try deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe).refusals.count == 1)
  }

  /// Links to objects of the wrong entity, and required ones to nothing: the one is no safe repair, the other none at all.
  @Test func keysThatMayNotBeEmptiedSilently() throws {
    let model = try ModelNotation.model([
      "Animal abstract: name String?", "Bird<Animal: span I32?", "Box: star ->Cat?; shelf ->Shelf~boxes",
      "Cat<Animal: lives I32?", "Shelf: boxes ->>Box?~shelf",
    ])
    let store = try RepairBench(model) { store in
      try store.insert("Bird", ["name": "tit"])
      try store.link(store.insert("Box"), "shelf", to: store.insert("Shelf"))
      try store.database.execute("UPDATE ZBOX SET ZSTAR = 1, ZSHELF = 99")
    }
    let wrong = try store.bench.nullifyWrongEntity()
    #expect(wrong.operations.map(\.summary) == ["empty Box.star of 1 object, whose object is of another entity"])
    #expect(wrong.operations.map(\.grade) == [.named])
    let dangling = try store.bench.nullifyDangling(leavesRequired: false)
    #expect(dangling.operations.isEmpty && dangling.obstacles.map(\.keys) == [[1]])
  }

  /// Which of two trips has the ticket the rows do not tell.
  @Test func whatTwoClaimIsLeft() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let trips = try (1...2).map { _ in try store.insert("Trip") }
      try store.link(store.insert("Ticket"), "trip", to: trips[0])
      try store.database.execute("UPDATE ZTRIP SET ZTICKET = 1")
    }
    let deciding = try #require(store.bench.map.relationship("ticket", of: "Trip"))
    let decision = try store.bench.inverses(deciding: deciding)
    #expect(decision.operations.isEmpty && decision.obstacles.map(\.keys) == [[1]])
  }

  /// A tag that notes lead to was deleted, and history kept one value of it, or two that may both be its name.
  @Test(arguments: [(["red"], ["7|2|1|red"]), (["red", "blue"], [])] as [([String], [String])])
  func onlyWhatHistoryTellsForCertainIsMadeAgain(_ kept: [String], _ rows: [String]) throws {
    let model = try ModelNotation.model([
      "Note: tag ->Tag?~notes", "Tag: name String? keep; size I32?; notes ->>Note?~tag",
    ])
    let values = kept.map { "'\($0)'" } + (kept.count..<2).map { _ in "NULL" }
    let store = try RepairBench(model) { store in
      try store.link(store.insert("Note"), "tag", to: store.insert("Tag", ["name": "gone"]))
      try store.database.execute(
        """
        DELETE FROM ZTAG; UPDATE ZNOTE SET ZTAG = 7;
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
          ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZTOMBSTONE0 BLOB, ZTOMBSTONE1 BLOB);
        INSERT INTO ACHANGE VALUES (1, 16001, 1, 2, 2, 7, 1, \(values.joined(separator: ", ")));
        """)
    }
    let decision = try store.bench.restoreFromHistory()
    #expect(decision.obstacles.map(\.keys) == (rows.isEmpty ? [[7]] : []))
    try store.perform(decision)
    #expect(try store.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZTAG") == rows)
    #expect(try store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'") == [rows.isEmpty ? "1" : "7"])
  }
}
