import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let validationViolated = Check(
    .validationViolated, "validation-violated", .warning, traits: [.rows],
    summary: "A value breaks a rule of the model: a bound, a length or a pattern.",
    explanation: """
      ## What it looks for
      Values against the validation predicates of their attribute: smallest and largest number, earliest and latest date,
      shortest and longest text (in UTF-16 units), the pattern a text has to match as a whole. Patterns are matched here
      in time that grows with the text only, so no pattern can make this hang; one with back references, look-around or
      possessive quantifiers is listed as not looked at, and so are rules that compare with other than constants.

      ## Why it matters
      The app reads the value; saving the object after any change fails with the code of the rule (1610 to 1680). Core
      Data looks at rules when it saves, not when it opens or migrates: such values are there when a rule came later than
      the rows.

      ## Example
      `Product.stock` has to be at least 0, and row 7 of `ZPRODUCT` has -1 in `ZSTOCK`.

      ## What can be done
      Correct the values, or relax the rule: rules are not hashed, so the model stays compatible.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which rules values have to obey")
      return { [] }
    }
    let columns = scan.values(.invalid)
    for column in columns {
      for reason in column.validation.notEvaluated {
        scan.skip("a rule for \(quoted(column.place.description)) cannot be evaluated here: \(reason)")
      }
    }
    return {
      columns.compactMap { column in
        let rules = column.validation
        if rules.unjudged > 0 {
          scan.skip(
            "the pattern for \(quoted(column.place.description)) takes too much work: "
              + "\(counted(rules.unjudged, "row")) not looked at")
        }
        let codes = rules.codes.sorted()
        return check.finding(
          of: column.place, rows: column.tally(rules.rows, scan: scan),
          message:
            "\(counted(rules.rows.count, "row")) of \(column.place.table) \(rules.rows.count == 1 ? "has" : "have") a value "
            + "in \(column.place.column) that \(codes.compactMap(\.words).joined(separator: " or "))",
          blocks: codes)
      }
    }
  }
}

extension Int {
  /// A description of a value that gives this validation error.
  fileprivate var words: String {
    switch self {
    case 1610: "is too large"
    case 1620: "is too small"
    case 1630: "is too late"
    case 1640: "is too soon"
    case 1660: "is too long"
    case 1670: "is too short"
    case 1680: "does not match the pattern"
    default: "breaks a rule"
    }
  }
}
