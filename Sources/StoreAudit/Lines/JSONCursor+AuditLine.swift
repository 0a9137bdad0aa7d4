import StoreCoreData
import StoreFindings
import StoreJSON
import StoreText

// Readers for the parts of a line. Members that are not needed are skipped; required ones are checked for at the end.

extension JSONCursor {
  /// The text of one member of an object; empty where it is missing.
  mutating func text(of wanted: StaticString) throws(JSONError) -> String {
    var text = ""
    var members = try object()
    while let name = try nextMember(in: &members) {
      if wanted ~= name { text = try string() } else { try skip() }
    }
    return text
  }

  mutating func problem() throws(JSONError) -> AuditLine.Problem {
    var problem = AuditLine.Problem(kind: "unreadable", message: "")
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "kind": problem.kind = try string()
      case "message": problem.message = try string()
      case "stage": problem.stage = try string()
      case "signal": problem.signal = try integer()
      case _: try skip()
      }
    }
    return problem
  }

  mutating func entities() throws(JSONError) -> [AuditLine.EntityRows] {
    var entities: [AuditLine.EntityRows] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var entity = AuditLine.EntityRows(name: "", rows: 0)
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "name": entity.name = try string()
        case "rows": entity.rows = try count()
        case _: try skip()
        }
      }
      entities.append(entity)
    }
    return entities
  }

  mutating func storeFacts() throws(JSONError) -> AuditLine.StoreFacts {
    var store = AuditLine.StoreFacts()
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "uuid": store.uuid = try string()
      case "frameworkVersion": store.frameworkVersion = try integer()
      case "versionIdentifiers": store.versionIdentifiers = try strings()
      case "modelSource": store.modelSource = try string()
      case "checksum": store.checksum = try string()
      case "digest": store.digest = try string()
      case "reading": try reading(into: &store)
      case _: try skip()
      }
    }
    return store
  }

  private mutating func reading(into store: inout AuditLine.StoreFacts) throws(JSONError) {
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "complete": store.isWhole = try string() == "yes"
      case "sound":
        if try string() == "no" {
          store.remarks.append("a table is damaged, and what it does not show may be there all the same")
        }
      case "reasons", "damage": store.remarks += try strings()
      case "accessTimes":
        store.keepsAccessTimes = try string() != "mayHaveChanged"
        if store.keepsAccessTimes == false { store.remarks.append(Reading.accessTimesClause) }
      case _: try skip()
      }
    }
  }

  mutating func deciding() throws(JSONError) -> AuditLine.Deciding {
    var deciding = AuditLine.Deciding(version: "", basis: "")
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "version": deciding.version = try string()
      case "code": deciding.code = try integer()
      case "basis": deciding.basis = try string()
      case _: try skip()
      }
    }
    return deciding
  }

  mutating func risks() throws(JSONError) -> [AuditLine.Risk] {
    var risks: [AuditLine.Risk] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var risk = AuditLine.Risk(entity: nil, property: nil, isLoss: false, message: "", rows: 0)
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "entity": risk.entity = try string()
        case "property": risk.property = try string()
        case "consequence": risk.isLoss = try string() == "loses"
        case "message": risk.message = try string()
        case "rows": risk.rows = try count()
        case _: try skip()
        }
      }
      risks.append(risk)
    }
    return risks
  }

  mutating func candidates() throws(JSONError) -> [AuditLine.Candidate] {
    var candidates: [AuditLine.Candidate] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      let start = offset
      var (version, code): (String, Int64?) = ("", nil)
      var verdict: Verdict?
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "version": version = try string()
        case "verdict": verdict = try choice() as Verdict
        case "code": code = try integer()
        case _: try skip()
        }
      }
      guard let verdict else { throw error("'verdict' is missing", at: start) }
      candidates.append(.init(version: version, verdict: verdict, code: code))
    }
    return candidates
  }

  mutating func skippedChecks() throws(JSONError) -> [SkippedCheck] {
    var skipped: [SkippedCheck] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var one = SkippedCheck(check: "", reason: "")
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "check": one.check = try string()
        case "reason": one.reason = try string()
        case _: try skip()
        }
      }
      skipped.append(one)
    }
    return skipped
  }

  /// The total of findings left out, over all severities.
  mutating func leftOut() throws(JSONError) -> Int64 {
    var count: Int64 = 0
    var members = try object()
    while let name = try nextMember(in: &members) {
      guard case "leftOut" = name else {
        try skip()
        continue
      }
      var severities = try object()
      while try nextMember(in: &severities) != nil { count.count(try self.count()) }
    }
    return count
  }

  mutating func rehearsal() throws(JSONError) -> AuditLine.Rehearsal {
    var rehearsal = AuditLine.Rehearsal(.notRehearsed)
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "outcome": rehearsal.outcome = try choice()
      case "reasons": rehearsal.reasons = try strings()
      case "assumed": rehearsal.assumed = try strings()
      case "kept": rehearsal.kept = try count()
      case "lost": rehearsal.lost = try count()
      case "lostValues": rehearsal.lostValues = try count()
      case "output": rehearsal.output = try string()
      case _: try skip()
      }
    }
    return rehearsal
  }

  mutating func savable() throws(JSONError) -> AuditLine.Savable {
    var savable = AuditLine.Savable()
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "tables":
        var tables = try list()
        while try nextElement(in: &tables) { try addTable(to: &savable) }
      case _: try skip()
      }
    }
    return savable
  }

  private mutating func addTable(to savable: inout AuditLine.Savable) throws(JSONError) {
    var table = (name: "", objects: Int64(0), losesKeys: false, lostKeys: Int64?.none)
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "name": table.name = try string()
      case "entities": table.objects = try savedObjects()
      case "doubtful": savable.doubtful.count(try count())
      case "lost": table.losesKeys = try lengthOfList() > 0
      case "lostKeys": table.lostKeys = try count()
      case _: try skip()
      }
    }
    guard OwnTable(table.name) == nil else { return }
    savable.objects.count(table.objects)
    savable.lostKeys.count(table.lostKeys ?? 0)
    if table.losesKeys, table.lostKeys == nil { savable.mayLoseMore = true }
  }

  /// The rows of those entities that have a name: others are of tables of no entity.
  private mutating func savedObjects() throws(JSONError) -> Int64 {
    var objects: Int64 = 0
    var elements = try list()
    while try nextElement(in: &elements) {
      var entity = (isNamed: false, saved: Int64(0))
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "name":
          try skip()
          entity.isNamed = true
        case "saved": entity.saved = try count()
        case _: try skip()
        }
      }
      if entity.isNamed { objects.count(entity.saved) }
    }
    return objects
  }

  mutating func plan() throws(JSONError) -> AuditLine.Plan {
    var plan = AuditLine.Plan()
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "operations": plan.operations = try operations()
      case "obstacles": plan.obstacles = try lengthOfList()
      case _: try skip()
      }
    }
    return plan
  }

  private mutating func operations() throws(JSONError) -> [AuditLine.Plan.Operation] {
    var operations: [AuditLine.Plan.Operation] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      var operation = AuditLine.Plan.Operation(repair: "", changes: 0)
      var members = try object()
      while let name = try nextMember(in: &members) {
        switch name {
        case "repair": operation.repair = try string()
        case "changes": operation.changes = try count()
        case _: try skip()
        }
      }
      operations.append(operation)
    }
    return operations
  }

  mutating func output() throws(JSONError) -> AuditLine.Output {
    var output = AuditLine.Output(outcome: "")
    var members = try object()
    while let name = try nextMember(in: &members) {
      switch name {
      case "path": output.path = try string()
      case "outcome": output.outcome = try string()
      case "anonymized": output.isAnonymized = try bool()
      case _: try skip()
      }
    }
    return output
  }

  // MARK: Small things

  mutating func strings() throws(JSONError) -> [String] {
    var texts: [String] = []
    var elements = try list()
    while try nextElement(in: &elements) { texts.append(try string()) }
    return texts
  }

  mutating func lengthOfList() throws(JSONError) -> Int64 {
    var length: Int64 = 0
    var elements = try list()
    while try nextElement(in: &elements) {
      try skip()
      length += 1
    }
    return length
  }

  /// A text that has to be one of a type's raw values.
  mutating func choice<Choice: RawRepresentable & CaseIterable>() throws(JSONError) -> Choice
  where Choice.RawValue == String {
    let start = offset
    let word = try string()
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw error("'\(word)' is none of \(words)", at: start)
    }
    return choice
  }

  mutating func base64() throws(JSONError) -> [UInt8] {
    let start = offset
    let digits = Array(try string().utf8)
    guard let bytes = decoded(base64: digits[...]) else { throw error("base-64 is expected", at: start) }
    return bytes
  }
}
