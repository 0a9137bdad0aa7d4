// The data for the page's template, under the names it uses. Names differ from level to level, because the template
// looks up a name that a part does not have in the whole.

struct AuditPage {
  var title: String
  var answer: String
  /// What is known of the run: date, places, models, command.
  var facts: [Fact]
  var stores: StoreList?
  var foundTitle: String
  var remarks: [String]
  var toolVersion: String
  var gate: [Gate]
  var outcomes: Chart?
  var causes: FoundList?
  var risks: RiskList?
  var versions: VersionList?
  var found: FoundList?
  var problems: [Problem]
  var hasProblems: Bool
  var entities: EntityList?
  var sizes: Sizes?
  var frameworks: FrameworkList?
  var repairs: Repairs?
  var rehearsals: Rehearsals?
  var timings: Timings?
  var runs: String

  /// A line about the run itself.
  struct Fact {
    var factName: String
    var factValues: [String]
    var isCommand: Bool
  }

  /// What can be done about one kind of finding, and the commands that say more.
  struct Step {
    var remedy: [Words]
    var commands: [String]
  }

  /// Words of a sentence, or code in it.
  struct Words {
    var plain: String
    var code: String
  }

  struct StoreList {
    var storeTitle: String
    /// Whether it is left out on paper.
    var isLong: Bool
    var storeRows: [Store]
    var storeRest: String
  }

  struct Store {
    var storeName: String
    var storeOutcome: String
    var storeStyle: String
    var storeVersion: String
    var storeWords: String
  }

  /// The outcome of the gate, and each requirement. Kept in a list of at most one element, so that the template can
  /// leave it out.
  struct Gate {
    var gateTitle: String
    var gateStyle: String
    var demands: [Demand]
  }

  struct Demand {
    var demandWord: String
    var option: String
    var sentence: String
    var demandExamples: [String]
    var hasDemandExamples: Bool
  }

  /// One bar in parts, and a row for each part.
  struct Chart {
    var chartTitle: String
    var chartWords: String
    var segments: [Segment]
    var chartRows: [Row]

    struct Row {
      var rowName: String
      var rowStores: String
      var rowShare: String
      var rowStyle: String
    }
  }

  /// A part of a bar, in hundredths of its width.
  struct Segment {
    var start: String
    var width: String
    var segmentStyle: String
  }

  /// Rows that are hidden at first.
  struct More<Row> {
    var moreWords: String
    var moreRows: [Row]
  }

  struct VersionList {
    var versionRows: [Version]
    var versionMore: More<Version>?
    var versionRest: String
  }

  struct Version {
    var label: String
    var isCandidate: Bool
    var versionStores: String
    var versionShare: String
    var versionWords: String
    var versionSegments: [Segment]
  }

  struct FoundList {
    var foundRows: [Found]
    var foundMore: More<Found>?
    var foundRest: String
  }

  struct Found {
    var check: String
    var checkName: String
    var place: String
    var codeText: String
    var foundWords: String
    /// Of the first place of a check; at most one element.
    var foundSteps: [Step]
    var foundSeverity: String
    var foundStores: String
    var foundCount: String
    var foundWidth: String
    var foundExamples: [String]
  }

  struct RiskList {
    var riskRows: [Risk]
    var riskMore: More<Risk>?
    var riskRest: String
  }

  struct Risk {
    var place: String
    var riskStyle: String
    var riskMessage: String
    var riskStores: String
    var riskRowCount: String
    var riskWidth: String
    var riskExamples: [String]
  }

  struct Problem {
    var kind: String
    var problemStores: String
    var problemWidth: String
    var problemSignals: String
    var problemExamples: [String]
  }

  struct EntityList {
    var entityRows: [Entity]
    var entityMore: More<Entity>?
    var entityRest: String
  }

  struct Entity {
    var entityName: String
    var entityStores: String
    var entityTotal: String
    var entityMedian: String
    var entityMost: String
    var entityWidth: String
  }

  struct FrameworkList {
    var frameworkRows: [Framework]
    var frameworkMore: More<Framework>?
    var frameworkRest: String
  }

  struct Framework {
    var framework: String
    var frameworkStores: String
    var frameworkShare: String
    var frameworkWidth: String
  }

  struct Sizes {
    var sizeTotal: String
    var sizeLargest: String
    var sizeRowCount: String
    var sizeBars: [SizeBar]
    var sizeViewWidth: String
    var smallest: String
    var largestClass: String
    var sizeWords: String
  }

  struct SizeBar {
    var sizeStart: String
    var sizeTop: String
    var sizeHeight: String
    var sizeName: String
    var sizeStores: String
  }

  struct Repairs {
    var repairRows: [Repair]
    var obstacles: String
    var outputs: [String]
  }

  struct Repair {
    var repairName: String
    var repairStores: String
    var repairChanges: String
  }

  struct Rehearsals {
    var rehearsalTitle: String
    var rehearsalStyle: String
    var rehearsalRows: [Rehearsed]
    var rehearsalObjects: String
    var rehearsalObstacles: [Obstacle]
    var rehearsalRest: String
    var rehearsalAssumed: [String]
    var rehearsalLimits: String
  }

  struct Rehearsed {
    var rehearsedName: String
    var rehearsedStores: String
    var rehearsedShare: String
  }

  struct Obstacle {
    var obstacleWords: String
    var obstacleExamples: [String]
  }

  struct Timings {
    var timingTotal: String
    var slowRows: [Slow]
  }

  struct Slow {
    var slowPath: String
    var slowMilliseconds: String
    var slowWidth: String
  }
}
