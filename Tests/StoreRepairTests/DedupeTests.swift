@testable import StoreRepair
@testable import StoreScanning
import StoreDataModel
import StoreGenerator
import StoreTestSupport
import Testing

@Suite struct DedupeTests {
  @Test(
    arguments: [
      (.first, 1), (.last, 4), (.mostComplete, 2), (.mostLinked, 3), (.newest("updatedAt"), 2),
      (.oldest("updatedAt"), 3),
    ] as [(DedupeRequest.Keep, Int64)])
  func keepsTheOneThatIsWanted(_ keep: DedupeRequest.Keep, _ key: Int64) throws {
    let store = try RepairBench(TripModel.model()) { store in
      try store.insert("Trip", ["name": "Rome"])
      try store.insert("Trip", ["name": "Rome", "place": "Italy", "updatedAt": .date(20)])
      let third = try store.insert("Trip", ["name": "Rome", "updatedAt": .date(10)])
      try store.insert("Trip", ["name": "Rome", "updatedAt": .date(20)])
      for _ in 1...2 { try store.link(store.insert("Note"), "trip", to: third) }
    }
    try store.dedupe("Trip", ["name"]) { $0.keep = keep }
    #expect(try store.rows("SELECT Z_PK FROM ZTRIP") == ["\(key)"])
  }

  @Test(
    arguments: [
      (.exact, ["Rome|1", "rome|1", " Rome|1", "Caf\u{e9}|1", "Cafe\u{301}|1"]),
      (.trimmed, ["Rome|1", "rome|1", "Caf\u{e9}|1", "Cafe\u{301}|1"]),
      (.casefolded, ["Rome|1", "Caf\u{e9}|1", "Cafe\u{301}|1"]), (.normalized, ["Rome|1", "Caf\u{e9}|1"]),
    ] as [(KeyComparison, [String])])
  func comparesTextsAsAsked(_ comparison: KeyComparison, _ left: [String]) throws {
    let store = try RepairBench(TripModel.model()) { store in
      for name in ["Rome", "rome", " Rome", "Caf\u{e9}", "Cafe\u{301}"] {
        try store.insert("Trip", ["name": .text(name), "place": "x"])
      }
    }
    try store.dedupe("Trip", ["name"]) { $0.comparison = comparison }
    #expect(try store.rows("SELECT ZNAME, 1 FROM ZTRIP").map(Array.init) == left.map(Array.init))
  }

  @Test func takesNoValueForAValueWhenAsked() throws {
    func left(_ nullsAreEqual: Bool) throws -> [String] {
      let store = try RepairBench(TripModel.model()) { store in
        for (name, place) in [("a", nil), ("a", nil), (nil, nil), (nil, nil), ("a", "b"), ("a", "b")]
          as [(StoredValue?, StoredValue?)]
        {
          try store.insert("Trip", ["name": name ?? nil, "place": place ?? nil])
        }
      }
      try store.dedupe("Trip", ["name", "place"]) { $0.nullsAreEqual = nullsAreEqual }
      return try store.rows("SELECT Z_PK FROM ZTRIP")
    }
    #expect(try left(false) == ["1", "2", "3", "4", "5"])
    #expect(try left(true) == ["1", "3", "5"])
  }

  @Test func linksEverythingToTheOneThatStays() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let twin = try store.insert("Cruise", ["name": "Nile", "rating": "good"])
      let survivor = try store.insert("Cruise", ["name": "Nile"])
      let other = try store.insert("Trip", ["name": "Oslo"])
      let notes = try (1...4).map { try store.insert("Note", ["text": .text("note \($0)")]) }
      for (note, trip) in [(3, survivor), (2, twin), (0, twin), (1, survivor)] {
        try store.link(notes[note], "trip", to: trip)
      }
      let tags = try ["red", "blue", "green"].map { try store.insert("Tag", ["name": .text($0)]) }
      for (trip, tag) in [(twin, 2), (twin, 0), (survivor, 0), (other, 0), (survivor, 1), (twin, 1)] {
        try store.link(trip, "tags", to: tags[tag])
      }
      try store.link(twin, "country", to: store.insert("Country", ["name": "Egypt"]))
      try store.link(twin, "photos", to: store.insert("Photo"))
      try store.link(twin, "related", to: survivor)
      try store.link(twin, "related", to: other)
      try store.link(twin, "ticket", to: store.insert("Ticket"))
    }
    let decision = try store.dedupe("Trip", ["name"]) { $0.keep = .last }
    let intention = "merge 1 of 2 Trip objects with equal name: "
    #expect(
      decision.summaries
        == [
          "delete 2 links of 'Trip.related' that there are already, or that led from one to the other (2)",
          "delete 2 links of 'Trip.tags' that there are already, or that led from one to the other (2)",
          "delete the 1 Trip object that has become another (1)", "move 2 links of 'Trip.related' (2)",
          "move 1 link of 'Trip.tags' (1)", "re-link 2 objects through 'Note.trip' (2)",
          "re-link 1 object through 'Ticket.trip' (1)", "re-link 1 object through 'Trip.ticket' (1)",
          "re-link 1 object through 'Trip.country' (1)", "re-link 1 object through 'Trip.photos' (1)",
          "fill 'Cruise.rating' of 1 object from the others (1)",
        ].map { intention + $0 })
    #expect(decision.obstacles == [])
    #expect(
      decision.notices == ["conflict in 'Trip.related': 2 differing values are lost in favour of that of 2"],
      "the link from one to the other is not there any more")
    #expect(decision.operations.allSatisfy { $0.grade == .lossy })
    #expect(
      try store.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZCOUNTRY, ZTICKET, ZRATING FROM ZTRIP") == [
        "2|7|2|1|1|good", "3|6|1|NULL|NULL|NULL",
      ])
    #expect(
      try store.rows("SELECT ZTEXT, Z_OPT, ZTRIP, Z6_TRIP, Z_FOK_TRIP FROM ZNOTE ORDER BY Z_FOK_TRIP") == [
        "note 4|1|2|7|2048", "note 2|1|2|7|3072", "note 3|2|2|7|4096", "note 1|2|2|7|5120",
      ])
    #expect(
      try store.rows(
        "SELECT t.Z_6TRIPS, g.ZNAME, Z_FOK_4TAGS FROM Z_6TAGS t JOIN ZTAG g ON g.Z_PK = t.Z_4TAGS ORDER BY 1, 3") == [
          "2|red|2048", "2|blue|3072", "2|green|4096", "3|red|2048",
        ]
    )
    #expect(try store.rows("SELECT * FROM Z_6RELATED") == ["2|3", "3|2"])
    #expect(try store.rows("SELECT Z6PHOTOS FROM ZPHOTO") == ["2"])
    #expect(try store.rows("SELECT ZTRIP, Z6_TRIP FROM ZTICKET") == ["2|7"])
    #expect(try store.findings() == [])
  }

  @Test func listsWhatIsLost() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let countries = try (1...2).map { _ in try store.insert("Country") }
      let tickets = try (1...2).map { _ in try store.insert("Ticket") }
      for number in 0...1 {
        let trip = try store.insert(
          number == 0 ? "Trip" : "Hike",
          ["name": number == 0 ? "Rome" : " Rome", "place": .text("p\(number)"), "updatedAt": .date(3)])
        try store.link(trip, "country", to: countries[number])
        try store.link(trip, "ticket", to: tickets[number])
      }
      try store.insert("Hike", ["name": "Rome", "rating": 5])
    }
    let decision = try store.dedupe("Trip", ["name"]) { $0.comparison = .trimmed }
    #expect(
      decision.notices == [
        "2 objects of 'Hike' become one of 'Trip', another entity: 2, 3",
        "conflict in 'Hike.rating': 1 differing value is lost in favour of that of 1",
        "conflict in 'Trip.country': 1 differing value is lost in favour of that of 1",
        "conflict in 'Trip.name': 1 differing value (spelled in another way) is lost in favour of that of 1",
        "conflict in 'Trip.place': 1 differing value is lost in favour of that of 1",
        "conflict in 'Trip.ticket': 1 differing value is lost in favour of that of 1",
      ])
    #expect(decision.operations.allSatisfy { $0.grade == .lossy })
    #expect(try store.rows("SELECT ZNAME, ZPLACE, ZCOUNTRY, ZTICKET FROM ZTRIP") == ["Rome|p0|1|1"])
    let tickets = try store.rows("SELECT Z_PK, Z_OPT, ZTRIP, Z6_TRIP FROM ZTICKET")
    #expect(tickets == ["1|1|1|6", "2|2|NULL|NULL"])
  }

  @Test func fillsACompositeWhole() throws {
    let store = try RepairBench(TripModel.model()) { store in
      try store.insert("Trip", ["name": "a"])
      try store.insert("Trip", ["name": "a", "size.days": 3])
      try store.insert("Trip", ["name": "a", "size.people": 4])
    }
    let decision = try store.dedupe("Trip", ["name"])
    #expect(try store.rows("SELECT ZDAYS, ZPEOPLE FROM ZTRIP") == ["3|NULL"], "of one object, not of two")
    #expect(decision.notices == ["conflict in 'Trip.size': 1 differing value is lost in favour of that of 1"])
  }

  @Test func findsTwinsOfTwins() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let roots = try (1...2).map { _ in try store.insert("Note", ["text": "q"]) }
      let top = try store.insert("Note", ["text": "top"])
      for root in roots {
        try store.link(root, "question", to: top)
        try store.link(store.insert("Note", ["text": "a"]), "question", to: root)
      }
    }
    try store.dedupe("Note", ["text", "question"])
    #expect(try store.rows("SELECT Z_PK, ZTEXT, ZQUESTION FROM ZNOTE") == ["1|q|3", "3|top|NULL", "4|a|1"])
    #expect(try store.dedupe("Note", ["text", "question"]).operations == [])
  }

  @Test func refusesWhatWouldBreakTheModel() throws {
    let model = try TripModel.model { entities in
      entities.change("Ticket", "trip") { $0.isOptional = false }
      entities.changeRelationship("Trip", "notes") { $0.maximumCount = 3 }
      entities.changeRelationship("Tag", "trips") { $0.minimumCount = 2 }
      entities[1].uniquenessConstraints = [["text", "trip"]]
    }
    let store = try RepairBench(model) { store in
      let tag = try store.insert("Tag")
      for _ in 1...2 {
        let trip = try store.insert("Trip", ["name": "Rome"])
        try store.link(store.insert("Ticket"), "trip", to: trip)
        for text in ["a", "b"] { try store.link(store.insert("Note", ["text": .text(text)]), "trip", to: trip) }
        try store.link(trip, "tags", to: tag)
      }
    }
    let refusals = try store.decide("Trip", ["name"]).refusals
    #expect(
      refusals == [
        "Ticket.trip [2]: 1 object would have nothing in 'Ticket.trip', which is required; give it another object first, or leave out what it leads to",
        "Tag.trips [1]: 1 object would have fewer than 2 objects in 'Tag.trips'; leave these out, or change their links first",
        "Trip.notes [1]: 1 object would have more than 3 objects in 'Trip.notes'; leave these out, or change their links first",
        "Note.text,trip [3, 4]: 2 objects would have the same 'text' and 'trip' as another, which are unique; change or delete those first, or leave these out",
      ])
  }

  @Test func deletesTheOthersByTheModelsRules() throws {
    let store = try RepairBench(TripModel.model()) { store in
      for name in ["Rome", "Rome", "Oslo"] {
        let trip = try store.insert("Trip", ["name": .text(name)])
        try store.link(store.insert("Note"), "trip", to: trip)
      }
    }
    let decision = try store.dedupe("Trip", ["name"]) { $0.others = .delete }
    #expect(decision.summaries == ["delete 1 Note object (1)", "delete 1 Trip object (1)"])
    #expect(decision.operations.allSatisfy { $0.grade == .lossy })
    #expect(try store.rows("SELECT Z_PK FROM ZNOTE") == ["1", "3"])
  }

  @Test func refusesToDeleteTheOneThatStays() throws {
    let store = try RepairBench(TripModel.model()) { store in
      let notes = try (1...2).map { _ in try store.insert("Note", ["text": "a"]) }
      try store.link(notes[0], "question", to: notes[1])
    }
    #expect(
      try store.decide("Note", ["text"]) { $0.others = .delete }.refusals == [
        "Note [1]: 1 object that should stay would go with the others by the model's delete rules; keep another one, or merge them"
      ])
  }

  @Test func givesNamesThatAreFree() throws {
    let names = ["Rome", "Rome", "rome (2)", "Rome", "Rome", "Rome (4)", "Oslo", "Oslo"]
    func renamed(_ comparison: KeyComparison) throws -> [String] {
      let store = try RepairBench(TripModel.model()) { store in
        for name in names { try store.insert("Trip", ["name": .text(name), "place": "x"]) }
      }
      let decision = try store.dedupe("Trip", ["name"]) {
        ($0.others, $0.comparison) = (.rename("{name} ({n})"), comparison)
      }
      #expect(decision.summaries == ["rename 4 of 6 Trip objects with equal name: give 4 objects a free 'name' (4)"])
      #expect(decision.operations.allSatisfy { $0.grade == .renames })
      #expect(try store.decide("Trip", ["name"]) { $0.comparison = comparison }.operations == [])
      return try store.rows("SELECT ZNAME FROM ZTRIP")
    }
    #expect(
      try renamed(.exact) == ["Rome", "Rome (2)", "rome (2)", "Rome (3)", "Rome (5)", "Rome (4)", "Oslo", "Oslo (2)"])
    #expect(
      try renamed(.casefolded)
        == ["Rome", "Rome (3)", "rome (2)", "Rome (5)", "Rome (6)", "Rome (4)", "Oslo", "Oslo (2)"])
  }

  @Test(arguments: ["{name}", "{nam} ({n})"]) func refusesTemplatesThatGiveNoName(_ template: String) throws {
    let store = try RepairBench(TripModel.model()) { store in
      for _ in 1...2 { try store.insert("Trip", ["name": "Rome"]) }
    }
    let decision = Result { try store.decide("Trip", ["name"]) { $0.others = .rename(template) } }
    switch decision {
    case .success(let decision): #expect(decision.operations == [] && decision.refusals.count == 1)
    case .failure(let error): #expect("\(error)".hasPrefix("no attribute or to-one relationship 'nam' in 'Trip'"))
    }
  }

  @Test func keepsToTheEntityThatIsAskedFor() throws {
    let store = try RepairBench(TripModel.model()) { store in
      for entity in ["Cruise", "Hike", "Trip", "Hike"] {
        try store.insert(
          entity,
          ["name": "Rome", "rating": entity == "Trip" ? nil : entity == "Hike" ? 3 : "3"].filter {
            entity != "Trip" || $0.key != "rating"
          })
      }
    }
    #expect(try store.decide("Cruise", ["name"]).operations == [])
    try store.dedupe("Hike", ["rating"])
    #expect(
      try store.rows("SELECT Z_PK, Z_ENT, ZRATING, ZRATING1 FROM ZTRIP") == [
        "1|7|3|NULL", "2|8|NULL|3", "3|6|NULL|NULL",
      ])
  }

  @Test func saysWhichDerivedAttributesMayBeStale() throws {
    let model = try TripModel.model { entities in
      entities[0].properties.append(
        .attribute("tripCount", .integer32) { $0.derivation = Derivation(expression: .keyPath("trips.@count")) })
    }
    let store = try RepairBench(model) { store in
      for _ in 1...2 { try store.insert("Trip", ["name": "Rome"]) }
    }
    #expect(
      try store.dedupe("Trip", ["name"]).notices == [
        "'Country.tripCount' may be stale: it is derived, and the store has no trigger that keeps it"
      ])
  }

  @Test func refusesListsWithoutRoom() throws {
    let store = try RepairBench(TripModel.model()) { store in
      for _ in 1...2 {
        try store.link(store.insert("Note"), "trip", to: store.insert("Trip", ["name": "Rome"]))
      }
      try store.database.execute("UPDATE ZNOTE SET Z_FOK_TRIP = \(Int64.max - 1000) WHERE Z_PK = 1")
    }
    #expect(
      try store.decide("Trip", ["name"]).refusals == [
        "Trip.notes [1]: the places in the order of 'Trip.notes' are used up; number them anew with the repair 'order-keys' first"
      ])
  }

  @Test func deletesNothingWithoutAModel() throws {
    let store = try RepairBench(TripModel.model()) { store in
      for _ in 1...2 { try store.insert("Trip", ["name": "Rome"]) }
      try store.database.execute("DELETE FROM Z_MODELCACHE")
    }
    let decision = try store.decide("Trip", ["name"])
    #expect(decision.refusals.count == 1)
    #expect(decision.refusals.first?.hasSuffix("give the store's model") == true)
  }
}

extension RepairBench {
  /// The decision of a deduplication.
  func decide(
    _ entity: String, _ by: [String], _ configure: (inout DedupeRequest) -> Void = { _ in }
  ) throws -> Decision {
    var request = DedupeRequest(entity: try #require(bench.map.entity(named: entity)), by: by)
    configure(&request)
    return try StoreRepair.dedupe(request, in: bench)
  }

  /// Decides and performs a deduplication.
  @discardableResult
  func dedupe(
    _ entity: String, _ by: [String], _ configure: (inout DedupeRequest) -> Void = { _ in }
  ) throws -> Decision {
    let decision = try decide(entity, by, configure)
    try perform(decision)
    return decision
  }
}
