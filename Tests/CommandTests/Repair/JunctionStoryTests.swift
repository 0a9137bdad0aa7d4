import StoreGenerator
import TestSupport
import Testing

/// A many-to-many relationship becomes an entity, by a bridge version that has both.
@Suite struct JunctionStoryTests {
  static let old = [
    "Student: name String?; courses ->>Course?~students ordered", "Course: title String?; students ->>Student?~courses",
  ]
  static let enrollment =
    "Enrollment: grade I16?; status String=\"enrolled\"; student ->Student?~enrollments; course ->Course?~enrollments"
  static let bridge = [
    old[0] + "; enrollments ->>Enrollment?~student ordered", old[1] + "; enrollments ->>Enrollment?~course", enrollment,
  ]
  static let new = [
    "Student: name String?; enrollments ->>Enrollment?~student ordered",
    "Course: title String?; enrollments ->>Enrollment?~course", enrollment.replacing("?~", with: "~"),
  ]
  static let recipe =
    "version: 1\njunctions:\n  - {from: Student.courses, entity: Enrollment, source: student, destination: course}\n"

  /// Three students, two courses; the second student takes them in the other order.
  private func school(
    _ story: Story, _ name: String, _ version: [String],
    _ more: (StoreWriter, [ObjectKey], [ObjectKey]) throws -> Void = { _, _, _ in }
  ) throws -> String {
    try story.store(name, version) { store in
      let students = try ["Ada", "Ben", "Cleo"].map { try store.insert("Student", ["name": .text($0)]) }
      let courses = try ["Algebra", "Biology"].map { try store.insert("Course", ["title": .text($0)]) }
      for (student, course) in [(0, 0), (0, 1), (1, 1), (1, 0)] {
        try store.link(students[student], "courses", to: courses[course])
      }
      try more(store, students, courses)
    }
  }

  @Test func eachLinkBecomesAnObject() throws {
    let story = try Story()
    let (bridge, next) = (try story.model("Bridge", Self.bridge), try story.model("V2", Self.new))
    let old = try school(story, "V1.sqlite", Self.old)
    #expect(try story.diagnose(old, bridge).line == "migrates: automatic migration to 'Bridge' succeeds")

    let bridged = try school(story, "Bridge.sqlite", Self.bridge)
    let outcome = try story.repair(bridged, recipe: Self.recipe)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.output)\(outcome.errors)")
    let repaired = story.folder("Repaired.sqlite")
    // The links are objects by now, and go themselves.
    #expect(
      try story.diagnose(repaired, next).line
        == "migrates, losing the links of Course.students in 2 rows and the links of Student.courses in 2 rows:")
    #expect(
      try story.rows(
        repaired, "SELECT Z_PK, Z_ENT, Z_OPT, ZSTUDENT, ZCOURSE, Z_FOK_STUDENT, ZSTATUS, ZGRADE FROM ZENROLLMENT") == [
          "1 2 1 1 1 2048 enrolled -", "2 2 1 1 2 3072 enrolled -", "3 2 1 2 2 2048 enrolled -",
          "4 2 1 2 1 3072 enrolled -",
        ])
    #expect(try story.rows(repaired, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Enrollment'") == ["4"])
    #expect(try Program.run(["repair", repaired, "--recipe", story.folder("recipe.yaml")]).output.hasPrefix("nothing"))
  }

  @Test func whatHasAnObjectStays() throws {
    let story = try Story()
    let store = try school(story, "Bridge.sqlite", Self.bridge) { store, students, courses in
      let known = try store.insert("Enrollment", ["grade": 3, "status": "done"], key: 7)
      try store.link(known, "student", to: students[1])
      try store.link(known, "course", to: courses[1])
    }
    let options = ["--junction", "Student.courses=Enrollment.student,course"]
    let outcome = try story.repair(store, options)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(
      try story.rows(
        story.folder("Repaired.sqlite"),
        "SELECT Z_PK, ZSTUDENT, ZCOURSE, Z_FOK_STUDENT, ZSTATUS FROM ZENROLLMENT ORDER BY 1") == [
          "7 2 2 2048 done", "8 1 1 2048 enrolled", "9 1 2 3072 enrolled", "10 2 1 3072 enrolled",
        ])
  }

  /// Starting from the other end; a required attribute without a default gets its value from the recipe.
  @Test func aRequiredAttributeComesFromABackfill() throws {
    let story = try Story()
    let bridge = [
      Self.bridge[0], Self.bridge[1], Self.enrollment.replacing("grade I16?", with: "id UUID; grade I16"),
    ]
    let store = try school(story, "Bridge.sqlite", bridge)
    let recipe =
      "version: 1\njunctions:\n  - {from: Course.students, entity: Enrollment, source: course, destination: student}\n"
    let refused = try story.repair(store, recipe: recipe)
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains("afterwards 'Enrollment.id' would have SD501 missing-required-value 4 times, now 0"),
      "\(refused.errors)")
    let fill = """
      backfill:
        - {entity: Enrollment, attribute: id, generate: uuid}
        - {entity: Enrollment, attribute: grade, value: 0}

      """
    let outcome = try story.repair(store, recipe: recipe + fill)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let repaired = story.folder("Repaired.sqlite")
    #expect(
      try story.rows(repaired, "SELECT count(*), count(DISTINCT ZID), sum(ZGRADE) FROM ZENROLLMENT") == ["4 4 0"])
  }

  @Test(arguments: [
    ("Student.name=Enrollment.student,course", "'name' of Student is an attribute"),
    ("Student.enrollments=Enrollment.student,course", "'enrollments' of Student is not many-to-many"),
    ("Student.courses=Enrollment.course,student", "'course' of Enrollment leads to Course, and the links to Student"),
    ("Student.courses=Enrollment.student,student", "'source' and 'destination' are two relationships"),
    ("Student.courses=Enrolment.student,course", "did you mean 'Enrollment'"),
    ("Student.courses=Student.courses,enrollments", "leads to many; a junction leads to one object at each end"),
    ("Courses=Enrollment.student,course", "as in Student.courses=Enrollment.student,course"),
  ])
  func mistakesAreToldBeforeAnythingRuns(_ option: String, _ message: String) throws {
    let story = try Story()
    let store = try school(story, "Bridge.sqlite", Self.bridge)
    let outcome = try Program.run(["repair", store, "--junction", option])
    #expect(outcome.status == (option.hasPrefix("Courses") ? 64 : 2))
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  /// The person of a link may be a subentity's, which the entity column says (`Z4_PERSON`); the junction is a
  /// subentity, whose rows are in the table of its root, with keys from the root's `Z_MAX`.
  @Test func subentitiesAtBothEndsAndOfTheJunction() throws {
    let story = try Story()
    let store = try story.store(
      "Bridge.sqlite",
      [
        "Course: people ->>Person?~courses; visits ->>Visit?~course",
        "Person: courses ->>Course?~people; visits ->>Visit?~person", "Student<Person: year I16?",
        "Event: at Date?", "Visit<Event: person ->Person?~visits; course ->Course?~visits",
      ]
    ) { store in
      let course = try store.insert("Course", [:])
      for entity in ["Student", "Person"] {
        try store.link(try store.insert(entity, [:]), "courses", to: course)
      }
      try store.insert("Event", [:])
    }
    let outcome = try story.repair(store, ["--junction", "Person.courses=Visit.person,course"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let repaired = story.folder("Repaired.sqlite")
    #expect(
      try story.rows(repaired, "SELECT Z_PK, Z_ENT, ZPERSON, Z4_PERSON, ZCOURSE FROM ZEVENT ORDER BY 1") == [
        "1 2 - - -", "2 3 1 5 1", "3 3 2 4 1",
      ])
    #expect(
      try story.rows(repaired, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (2, 3)") == [
        "Event 3", "Visit 0",
      ])
    #expect(try Program.run(["diagnose", repaired]).status == 0)
  }

  @Test func linksToNowhereAreListed() throws {
    let story = try Story()
    let store = try school(story, "Bridge.sqlite", Self.bridge) { store, _, _ in
      try store.database.execute("DELETE FROM ZCOURSE WHERE Z_PK = 2")
    }
    let outcome = try Program.run(["repair", store, "--junction", "Student.courses=Enrollment.student,course"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("make 2 objects of Enrollment from the links of Student.courses"))
    #expect(outcome.output.contains("2 links of 'Student.courses' name an object that does not exist"))
  }
}
