import StoreDataModel

/// A school's model that replaces a date by a number, and a many-to-many relationship by an entity. Neither change can
/// be inferred; both work by way of a bridge version with the old and the new properties.
extension SampleModels {
  /// The versions by name, in order; the last is current.
  package static func schoolVersions() throws -> [(name: String, model: Model)] {
    [("School", try school()), ("School 2", try schoolBridge()), ("School 3", try nextSchool())]
  }

  /// The old version.
  package static func school() throws -> Model {
    try Model(entities: [student(old: true), course(old: true)], versionIdentifiers: ["1"])
  }

  /// The bridge: nothing is removed, and everything new is optional.
  package static func schoolBridge() throws -> Model {
    try Model(
      entities: [student(old: true, new: true), course(old: true, new: true), enrollment], versionIdentifiers: ["1.1"])
  }

  /// The new version; `enrolledAt` is the number that the bridge calls `enrolledOn`.
  private static func nextSchool() throws -> Model {
    var student = student(new: true)
    student.properties.removeAll { $0.name == "enrolledOn" }
    student.properties.append(.attribute("enrolledAt", .integer64))
    if let number = student.properties.indices.last {
      student.properties[number].renamingIdentifier = "enrolledOn"
    }
    return try Model(entities: [student, course(new: true), enrollment], versionIdentifiers: ["2"])
  }

  private static func student(old: Bool = false, new: Bool = false) -> Entity {
    var student = Entity(
      name: "Student", className: "Student", properties: [.attribute("name", .string, optional: false)])
    if old {
      student.properties += [.toMany("courses", "Course", inverse: "students"), .attribute("enrolledAt", .date)]
    }
    if new {
      student.properties += [
        .attribute("enrolledOn", .integer64),
        .toMany("enrollments", "Enrollment", inverse: "student", deleteRule: .cascade),
      ]
    }
    return student
  }

  private static func course(old: Bool = false, new: Bool = false) -> Entity {
    var course = Entity(
      name: "Course", className: "Course", properties: [.attribute("title", .string, optional: false)])
    if old { course.properties.append(.toMany("students", "Student", inverse: "courses")) }
    if new {
      course.properties.append(.toMany("enrollments", "Enrollment", inverse: "course", deleteRule: .cascade))
    }
    return course
  }

  private static var enrollment: Entity {
    Entity(
      name: "Enrollment", className: "Enrollment",
      properties: [
        .toOne("course", "Course", inverse: "enrollments"), .attribute("grade", .integer16),
        .attribute("status", .string, optional: false) { $0.defaultValue = .string("enrolled") },
        .toOne("student", "Student", inverse: "enrollments"),
      ])
  }
}

extension SampleStores {
  /// The school's store with the old version: 6 students, 3 courses, 8 links.
  package static func writeSchool(to path: String) throws {
    try writeSchool(to: path, try SampleModels.school(), uuid: "5C0FFEE0-0000-4000-8000-0000000005C4")
  }

  /// The same after its migration to the bridge version: the same rows, and nothing in the new properties.
  package static func writeSchoolBridge(to path: String) throws {
    try writeSchool(to: path, try SampleModels.schoolBridge(), uuid: "5C0FFEE0-0000-4000-8000-0000000005C5")
  }

  private static func writeSchool(to path: String, _ model: Model, uuid: String) throws {
    let store = try StoreWriter(
      creating: path, StoreDescription(model: model, framework: 1526, uuid: uuid, usesWAL: false))
    let courses = try ["Algebra", "Biology", "Chemistry"].map { try store.insert("Course", ["title": .text($0)]) }
    for (number, name) in ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn"].enumerated() {
      let date: StoredValue = number == 4 ? .null : .date(740_000_000 + Double(number) * 86_400.5)
      let student = try store.insert("Student", ["name": .text(name), "enrolledAt": date])
      for step in 0...(number % 3) where number < 5 { try store.link(student, "courses", to: courses[step]) }
    }
    try store.finish()
  }
}
