@testable import StoreRepair
import StoreDataModel
import StoreGenerator
import Testing

@Suite struct DeletionTests {
  @Test func letsGoOfWhatStays() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let country = try store.insert("Country", ["name": "Peru"])
      let trips = try (1...3).map { _ in try store.insert("Trip") }
      let tags = try (1...2).map { _ in try store.insert("Tag") }
      let ticket = try store.insert("Ticket")
      for trip in trips {
        try store.link(trip, "country", to: country)
        for tag in tags { try store.link(trip, "tags", to: tag) }
      }
      try store.link(trips[0], "ticket", to: ticket)
      try store.link(trips[0], "related", to: trips[1])
      try store.link(trips[1], "related", to: trips[2])
    }
    let decision = try deletion(of: ["ZTRIP": [1, 99]], in: store.bench, for: .dedupe)
    #expect(
      decision.summaries == [
        "delete 2 links of 'Trip.related' with objects that are deleted (2)",
        "delete 2 links of 'Trip.tags' with objects that are deleted (2)",
        "delete 1 Trip object (1)",
        "empty 'Ticket.trip' in 1 object, because it leads to what is deleted (1)",
      ])
    #expect(decision.obstacles == [] && decision.notices == [])
    #expect(decision.operations.allSatisfy { $0.grade == .lossy })
    try store.perform(decision)
    #expect(try store.rows("SELECT Z_PK, Z_OPT, ZTRIP, Z6_TRIP FROM ZTICKET") == ["1|2|NULL|NULL"])
    #expect(try store.rows("SELECT Z_PK, Z_OPT FROM ZTRIP") == ["2|1", "3|1"])
    #expect(try store.findings() == [])
  }

  @Test func emptiesKeyCompanionAndPlaceTogether() throws {
    let model = try TripModel.model { $0.changeRelationship("Trip", "notes") { $0.deleteRule = .nullify } }
    let store = try RepairBench(model) { store in
      let trip = try store.insert("Cruise")
      for _ in 1...2 { try store.link(store.insert("Note"), "trip", to: trip) }
      try store.link(trip, "photos", to: store.insert("Photo"))
    }
    #expect(try store.rows("SELECT ZTRIP, Z6_TRIP, Z_FOK_TRIP FROM ZNOTE") == ["1|7|2048", "1|7|3072"])
    try store.perform(deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe))
    #expect(try store.rows("SELECT ZTRIP, Z6_TRIP, Z_FOK_TRIP FROM ZNOTE") == ["NULL|NULL|NULL", "NULL|NULL|NULL"])
    #expect(try store.rows("SELECT * FROM ZPHOTO") == [], "photos have no inverse, and go with their trip")
  }

  @Test func followsCascadesThroughCycles() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let trip = try store.insert("Trip")
      let notes = try (1...5).map { _ in try store.insert("Note") }
      try store.link(notes[0], "trip", to: trip)
      // 1 answers 3, 3 answers 2, 2 answers 1; 4 answers 3; 5 has no links.
      for (answer, question) in [(0, 2), (2, 1), (1, 0), (3, 2)] {
        try store.link(notes[answer], "question", to: notes[question])
      }
    }
    let decision = try deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe)
    #expect(decision.summaries == ["delete 4 Note objects (4)", "delete 1 Trip object (1)"])
    try store.perform(decision)
    #expect(try store.rows("SELECT Z_PK FROM ZNOTE") == ["5"])
  }

  @Test func refusesWhatIsDenied() throws {
    let store = try RepairBench(TripModel.model()) { store in
      for trips in [2, 0] {
        let country = try store.insert("Country")
        for _ in 0..<trips { try store.link(store.insert("Trip"), "country", to: country) }
      }
    }
    #expect(
      try deletion(of: ["ZCOUNTRY": [1, 2]], in: store.bench, for: .dedupe).refusals == [
        "Country.trips [1]: 'Country.trips' denies deleting 1 object that others still belong to; move or delete those first"
      ])
    #expect(try deletion(of: ["ZCOUNTRY": [1, 2], "ZTRIP": [1]], in: store.bench, for: .dedupe).refusals.count == 1)
    #expect(try deletion(of: ["ZCOUNTRY": [1, 2], "ZTRIP": [1, 2]], in: store.bench, for: .dedupe).refusals == [])
  }

  @Test func refusesToEmptyWhatIsRequired() throws {
    let model = try TripModel.model { entities in
      entities.change("Ticket", "trip") { $0.isOptional = false }
      entities.changeRelationship("Tag", "trips") { $0.minimumCount = 2 }
    }
    let store = try RepairBench(model) { store in
      let trips = try (1...3).map { _ in try store.insert("Trip") }
      let tags = try (1...3).map { _ in try store.insert("Tag") }
      for (tag, trip) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0)] {
        try store.link(trips[trip], "tags", to: tags[tag])
      }
      try store.link(store.insert("Ticket"), "trip", to: trips[0])
    }
    #expect(
      try deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe).refusals == [
        "Ticket.trip [1]: 1 object would have nothing in 'Ticket.trip', which is required; give it another object first, or leave out what it leads to",
        "Tag.trips [1]: 1 object would have fewer than 2 objects in 'Tag.trips'; leave these out, or change their links first",
      ], "tag 3 had too few before, and may have none")
  }

  @Test func saysWhatItDoesWhereTheModelSaysNothing() throws {
    let model = try TripModel.model { entities in
      entities.changeRelationship("Trip", "notes") { $0.deleteRule = .noAction }
      entities.changeRelationship("Trip", "photos") { $0.deleteRule = .cascade }
    }
    let file = [2] + Array("30084A1C-76CF-4976-8312-8E8EFCF4615F".utf8) + [0]
    let store = try RepairBench(model) { store in
      let trip = try store.insert("Trip")
      try store.link(store.insert("Note"), "trip", to: trip)
      try store.link(trip, "photos", to: store.insert("Photo", ["data": .blob(file)]))
      try store.insert("Photo", ["data": .blob(file)])
    }
    let decision = try deletion(of: ["ZTRIP": [1]], in: store.bench, for: .dedupe)
    #expect(
      decision.notices == [
        "'Trip.notes' says that nothing is done to others when an object goes; 1 link to deleted objects is emptied all the same, because they would lead nowhere",
        "1 file of deleted objects stays beside the store; the repair 'external-files' moves it aside",
      ])
    try store.perform(decision)
    #expect(try store.rows("SELECT ZTRIP, Z_FOK_TRIP FROM ZNOTE") == ["NULL|NULL"])
  }

  @Test func changesNothingWithoutObjects() throws {
    let store = try RepairBench(TripModel.model()) { try $0.insert("Trip") }
    let decision = try deletion(of: ["ZTRIP": [7]], in: store.bench, for: .dedupe)
    #expect(decision.operations == [] && decision.obstacles == [] && decision.notices == [])
  }
}
