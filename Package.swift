// swift-tools-version: 6.1
import PackageDescription

// Each module knows only those above it in this list; CONTRIBUTING.md says what each is for.
let package = Package(
  name: "storedoctor",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "storedoctor", targets: ["StoreDoctorCLI"]),
    // Reads SwiftData source; apart from storedoctor because swift-syntax takes minutes to build.
    .executable(name: "storedoctor-swiftdata", targets: ["SwiftDataChild"]),
    .library(name: "StoreDoctor", targets: ["StoreDoctor"]),
    // `swift package storedoctor-lint`, with the program that is installed.
    .plugin(name: "StoreDoctorLint", targets: ["StoreDoctorLint"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CStoreSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CStoreZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CStoreExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(
      name: "CStoreYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Not on Apple's platforms, which have CryptoKit.
    .systemLibrary(name: "CStoreCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // Only a header: a function that Swift cannot call.
    .systemLibrary(name: "CStoreProcess"),
    .target(name: "StoreText"),
    .target(name: "StorePlatform"),
    .target(name: "StoreSQLite", dependencies: ["StoreText", "StorePlatform", "CStoreSQLite"]),
    .target(name: "SQLitePages", dependencies: ["StoreText", "StoreSQLite"]),
    .target(name: "StorePropertyLists", dependencies: ["StoreText", "CStoreZlib"]),
    .target(
      name: "StoreDigests", dependencies: [.target(name: "CStoreCrypto", condition: .when(platforms: [.linux]))]),
    .target(name: "StoreJSON", dependencies: ["StoreText", "StorePlatform"]),
    .target(name: "StoreYAML", dependencies: ["CStoreYAML"]),
    .target(name: "StoreWords", dependencies: ["StorePlatform", "StoreJSON"]),
    .target(name: "StoreSystem", dependencies: ["CStoreProcess", "StorePlatform", "StoreSQLite"]),
    .target(
      name: "StorePlaces",
      dependencies: [
        "StoreText", "CStoreZlib", "StorePlatform", "StoreSQLite", "SQLitePages", "StorePropertyLists", "StoreDigests",
        "StoreWords", "StoreSystem",
      ]),
    .target(name: "StoreFindings", dependencies: ["StoreDigests", "StoreWords"]),
    .target(
      name: "StoreDataModel",
      dependencies: [
        "StoreText", "CStoreExpat", "StorePlatform", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreWords",
      ]),
    .target(name: "StoreSwiftDataSchemas", dependencies: ["StoreJSON", "StoreWords", "StoreDataModel"]),
    .target(
      name: "StoreCoreData",
      dependencies: [
        "StoreText",
        "StorePlatform", "StoreSQLite", "SQLitePages", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreWords",
        "StoreSystem", "StorePlaces", "StoreDataModel",
      ]),
    .target(
      name: "StoreWriting",
      dependencies: ["StoreSQLite", "StorePropertyLists", "StoreJSON", "StoreWords", "StoreDataModel", "StoreCoreData"]),
    .target(
      name: "StorePredicates", dependencies: ["StoreText", "StoreWords", "StoreDataModel"]),
    .target(
      name: "StoreRecovery",
      dependencies: [
        "StoreText",
        "StoreSQLite", "SQLitePages", "StoreJSON", "StoreWords", "StoreDataModel", "StoreCoreData",
      ]),
    .target(
      name: "StoreSalvage",
      dependencies: [
        "StoreText", "StoreSQLite", "SQLitePages", "StorePropertyLists", "StoreWords", "StoreDataModel",
        "StoreCoreData", "StoreWriting", "StorePublishing", "StoreDiagnosis", "StoreRecovery",
      ]),
    .target(
      name: "StoreAnonymizing",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "SQLitePages", "StorePropertyLists", "StoreDigests", "StoreYAML",
        "StoreWords",
        "StoreSystem", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreModels", "StoreScanning",
        "StorePublishing", "StoreDiagnosis",
      ]),
    .target(name: "StoreSourceChecks", dependencies: ["StoreFindings"]),
    .target(name: "StoreMigration", dependencies: ["StoreText", "StoreWords", "StoreFindings", "StoreDataModel"]),
    .target(
      name: "StoreModels",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreJSON", "StoreWords", "StoreSystem",
        "StorePlaces",
        "StoreFindings",
        "StoreDataModel", "StoreSwiftDataSchemas", "StoreCoreData", "StoreMigration",
      ]),
    .target(
      name: "StoreInspection",
      dependencies: [
        "StorePlatform", "StoreSQLite", "StoreDigests", "StoreJSON", "StoreWords", "StoreFindings", "StoreDataModel",
        "StoreCoreData",
        "StoreModels",
      ]),
    .target(
      name: "StoreScanning",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "SQLitePages", "StoreWords", "StoreSystem", "StoreFindings",
        "StoreDataModel", "StoreCoreData",
      ]),
    .target(
      name: "StoreRows",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreJSON", "StoreWords", "StoreFindings",
        "StoreDataModel",
        "StoreCoreData", "StorePredicates", "StoreScanning",
      ]),
    .target(
      name: "StoreDiagnosis",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreYAML", "StoreWords", "StoreFindings",
        "StoreDataModel",
        "StoreCoreData", "StoreSourceChecks", "StoreMigration", "StoreModels", "StoreScanning",
      ]),
    .target(
      name: "StoreExplanation",
      dependencies: [
        "StoreText",
        "StoreSQLite", "StoreWords", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreScanning",
        "StoreDiagnosis",
      ]),
    .target(
      name: "StoreTriage",
      dependencies: [
        "StoreText", "StoreSQLite", "StoreWords", "StorePlaces", "StoreCoreData", "StoreModels", "StoreExplanation",
      ]),
    .target(
      name: "StoreSourceLint",
      dependencies: [
        "StoreText",
        "StorePlatform", "StoreSQLite", "StoreDigests", "StoreJSON", "StoreWords", "StoreSystem", "StoreFindings",
        "StoreDataModel",
        "StoreSwiftDataSchemas", "StoreCoreData", "StoreSourceChecks", "StoreModels", "StoreScanning", "StoreDiagnosis",
      ]),
    .target(
      name: "StorePublishing",
      dependencies: ["StorePlatform", "StoreSQLite", "StoreDigests", "StoreWords", "StoreSystem", "StoreCoreData"]),
    .target(
      name: "StoreRepair",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreYAML",
        "StoreWords",
        "StoreSystem",
        "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreModels", "StoreScanning", "StoreDiagnosis",
        "StorePublishing",
      ]),
    .target(
      name: "StoreSamples",
      dependencies: [
        "StoreText", "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreFindings", "StoreDataModel",
        "StoreCoreData", "StoreWriting", "StoreScanning", "StoreDiagnosis", "StorePublishing",
      ]),
    .target(
      name: "StoreMigrator",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreJSON", "StoreWords", "StoreSystem",
        "StoreFindings",
        "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels", "StoreRows", "StoreDiagnosis",
        "StorePublishing", "StoreRepair",
      ]),
    .target(
      name: "StoreAudit",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StoreDigests", "StoreJSON", "StoreWords",
        "StoreSystem", "StorePlaces",
        "StoreFindings",
        "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels", "StoreScanning", "StoreDiagnosis",
        "StorePublishing", "StoreRepair", "StoreMigrator", "StoreAnonymizing",
      ]),
    .target(
      name: "StoreDoctor",
      dependencies: [
        "StoreText", "StoreSQLite", "StoreJSON", "StoreFindings", "StoreDataModel", "StoreSwiftDataSchemas",
        "StoreCoreData",
        "StorePredicates", "StoreSourceChecks", "StoreMigration", "StoreModels", "StoreInspection", "StoreScanning",
        "StoreDiagnosis", "StoreExplanation", "StoreSourceLint", "StorePublishing", "StoreRepair",
        "StoreMigrator", "StoreAudit", "StoreRecovery", "StoreReports", "StoreRows", "StoreWords",
      ]),
    .target(
      name: "StoreReports",
      dependencies: [
        "StoreCoreData",
        "StoreText", "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreWords", "StorePlaces",
        "StoreFindings", "StoreDataModel",
        "StoreSwiftDataSchemas", "StoreSourceChecks", "StoreMigration", "StoreModels", "StoreInspection",
        "StoreRows", "StoreDiagnosis", "StoreExplanation", "StoreSourceLint", "StoreRepair", "StoreSamples",
        "StoreMigrator", "StoreAudit", "StoreRecovery", "StoreTriage", "StoreSalvage", "StoreAnonymizing",
      ]),
    .target(
      name: "StoreSwiftCode",
      dependencies: [
        "StoreText",
        "StoreSQLite", "StoreJSON", "StoreWords", "StoreDataModel", "StoreMigration", "StoreScanning", "StoreDiagnosis",
        "StoreRepair", "StoreReports",
      ]),
    // Compiled by itself and linked into no program: its text is part of the Swift that StoreSwiftCode writes.
    .target(name: "StoreStageFunctions"),
    .target(
      name: "StoreGenerator",
      dependencies: ["StoreSQLite", "StorePropertyLists", "StoreDataModel", "StoreCoreData", "StoreWriting"]),
    // Linked into storedoctor-swiftdata only, as swift-syntax is.
    .target(
      name: "SwiftDataSource",
      dependencies: [
        "StoreText",
        "StorePlatform", "StoreWords", "StoreSystem", "StoreDataModel", "StoreSwiftDataSchemas",
        .product(name: "SwiftSyntax", package: "swift-syntax"), .product(name: "SwiftParser", package: "swift-syntax"),
      ]),
    .target(
      name: "SwiftDataLint",
      dependencies: [
        "StoreText",
        "StorePropertyLists", "StoreDigests", "StoreFindings", "StoreDataModel", "StoreSwiftDataSchemas",
        "StoreSourceChecks", "StoreMigration", "StoreSourceLint", "SwiftDataSource",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .executableTarget(
      name: "StoreDoctorCLI",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreYAML",
        "StoreWords", "StoreSystem", "StoreFindings",
        "StoreDataModel", "StoreSwiftDataSchemas", "StoreCoreData", "StoreSourceChecks", "StoreMigration",
        "StoreModels", "StoreInspection", "StoreScanning", "StoreRows", "StoreDiagnosis", "StoreExplanation",
        "StoreSourceLint", "StorePublishing", "StoreRepair", "StoreSamples", "StoreMigrator", "StoreAudit",
        "StoreRecovery", "StoreTriage", "StoreSalvage", "StoreAnonymizing", "StoreReports", "StoreSwiftCode",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "SwiftDataChild",
      dependencies: [
        "StorePlatform", "StoreJSON", "StoreSwiftDataSchemas", "SwiftDataSource", "SwiftDataLint",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .plugin(
      name: "StoreDoctorLint",
      capability: .command(
        intent: .custom(verb: "storedoctor-lint", description: "Find mistakes in SwiftData source with storedoctor."))),
    .executableTarget(
      name: "corpus-maker",
      dependencies: ["StorePlatform", "StorePropertyLists", "StoreDataModel", "StoreGenerator"],
      path: "Sources/CorpusMaker"),
    .executableTarget(
      name: "bench-store",
      dependencies: ["StorePlatform", "StoreDataModel", "StoreGenerator"],
      path: "Sources/BenchStore"),
    .executableTarget(
      name: "bench-model",
      dependencies: ["StorePlatform", "StoreSQLite", "StoreSystem", "StoreDataModel", "StoreGenerator"],
      path: "Sources/BenchModel"),
    .executableTarget(name: "bench-scan", dependencies: ["StorePlatform", "StoreSQLite"], path: "Sources/BenchScan"),

    .target(
      name: "TestSupport",
      dependencies: ["CStoreSQLite", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreDataModel"],
      path: "Tests/TestSupport"),
    // Stores that tests of several modules make.
    .target(
      name: "StoreTestSupport",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels",
        "StoreScanning", "StoreDiagnosis", "StoreRepair", "StoreGenerator", "TestSupport",
      ],
      path: "Tests/StoreTestSupport"),
    // Changes stores in a process of its own, for tests that kill it.
    .executableTarget(
      name: "kill-target",
      dependencies: ["StoreSQLite", "StoreCoreData", "StorePublishing", "StoreRepair"],
      path: "Tests/KillTarget"),
    .testTarget(
      name: "StoreSQLiteTests", dependencies: ["CStoreSQLite", "StorePlatform", "StoreSQLite", "TestSupport"]),
    .testTarget(name: "SQLitePagesTests", dependencies: ["CStoreSQLite", "StoreSQLite", "SQLitePages", "TestSupport"]),
    .testTarget(
      name: "StoreRecoveryTests",
      dependencies: [
        "StoreSQLite", "SQLitePages", "StoreDataModel", "StoreCoreData", "StoreGenerator", "StoreRecovery",
        "TestSupport",
      ]),
    .testTarget(name: "StorePropertyListsTests", dependencies: ["StorePropertyLists", "TestSupport"]),
    .testTarget(name: "StoreDigestsTests", dependencies: ["StoreDigests"]),
    .testTarget(
      name: "StorePlacesTests",
      dependencies: [
        "CStoreZlib", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreSystem",
        "StorePlaces",
        "TestSupport",
      ]),
    .testTarget(name: "StoreTextTests", dependencies: ["StoreText", "TestSupport"]),
    .testTarget(name: "StoreJSONTests", dependencies: ["StoreJSON"]),
    .testTarget(name: "StoreYAMLTests", dependencies: ["StoreYAML", "TestSupport"]),
    .testTarget(
      name: "StoreDataModelTests",
      dependencies: [
        "StoreText", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreDataModel", "StoreCoreData",
        "StoreGenerator",
        "TestSupport",
      ]),
    .testTarget(
      name: "SwiftDataSourceTests",
      dependencies: [
        "StorePlatform", "StoreJSON", "StoreDataModel", "StoreSwiftDataSchemas", "SwiftDataSource", "TestSupport",
      ]),
    .testTarget(
      name: "SwiftDataLintTests",
      dependencies: ["StoreSwiftDataSchemas", "StoreSourceChecks", "SwiftDataSource", "SwiftDataLint", "TestSupport"]),
    .testTarget(
      name: "StoreCoreDataTests",
      dependencies: ["StoreSQLite", "StoreDataModel", "StoreCoreData", "StoreGenerator", "TestSupport"]),
    .testTarget(name: "LibraryTests", dependencies: ["StoreDoctor", "TestSupport"]),
    .testTarget(
      name: "StoreSalvageTests",
      dependencies: [
        "StoreSQLite", "SQLitePages", "StoreDataModel", "StoreCoreData", "StoreWriting", "StorePublishing",
        "StoreDiagnosis", "StoreSalvage", "TestSupport",
      ]),
    .testTarget(
      name: "StoreAnonymizingTests",
      dependencies: [
        "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreFindings", "StoreDataModel", "StoreCoreData",
        "StoreModels", "StoreWriting", "StorePublishing", "StoreDiagnosis", "StoreRepair", "StoreAnonymizing",
        "StoreGenerator", "TestSupport", "StoreTestSupport",
      ],
      exclude: ["independent_search.py"]),
    .testTarget(
      name: "StoreSamplesTests",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreModels", "StoreInspection",
        "StoreDiagnosis", "StorePublishing", "StoreSamples", "TestSupport",
      ]),
    .testTarget(name: "StorePredicatesTests", dependencies: ["StoreDataModel", "StorePredicates", "TestSupport"]),
    .testTarget(
      name: "StoreGeneratorTests",
      dependencies: ["StoreSQLite", "StoreDataModel", "StoreCoreData", "StoreGenerator", "TestSupport"]),
    .testTarget(
      name: "StoreSwiftCodeTests",
      dependencies: [
        "StoreSQLite", "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels", "StoreDiagnosis",
        "StoreRepair",
        "StoreRows", "StoreGenerator", "StoreMigrator", "StoreSwiftCode", "TestSupport",
      ]),
    .testTarget(
      name: "StoreWordsTests",
      dependencies: [
        "StoreWords"
      ]),
    .testTarget(
      name: "StoreSystemTests",
      dependencies: [
        "StoreSQLite", "StoreSystem", "TestSupport",
      ]),
    .testTarget(
      name: "StoreSourceChecksTests",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreSourceChecks", "StoreDiagnosis", "StoreExplanation",
      ]),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "StoreDataModel", "StoreCoreData", "StoreMigration", "TestSupport", "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreModelsTests",
      dependencies: [
        "StorePlatform", "StoreSQLite", "StoreDataModel", "StoreSwiftDataSchemas", "StoreCoreData", "StoreModels",
        "StoreDiagnosis",
        "TestSupport",
      ]),
    .testTarget(
      name: "StoreInspectionTests",
      dependencies: [
        "StoreSQLite", "StoreCoreData", "StoreInspection", "TestSupport",
      ]),
    .testTarget(
      name: "StoreScanningTests",
      dependencies: [
        "CStoreSQLite", "StoreText", "StoreSQLite", "SQLitePages", "StoreFindings", "StoreDataModel", "StoreCoreData",
        "StoreScanning", "StoreDiagnosis",
        "TestSupport", "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreDiagnosisTests",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels",
        "StoreInspection", "StoreScanning", "StoreDiagnosis", "StoreExplanation", "StoreAudit", "StoreGenerator",
        "TestSupport", "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreExplanationTests",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreDiagnosis", "StoreExplanation",
        "TestSupport", "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreSourceLintTests",
      dependencies: [
        "StorePlatform", "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreSwiftDataSchemas", "StoreCoreData",
        "StoreSourceChecks",
        "StoreModels", "StoreDiagnosis", "StoreSourceLint", "TestSupport",
      ]),
    .testTarget(
      name: "StorePublishingTests",
      dependencies: [
        "StoreSQLite", "StorePublishing", "TestSupport",
      ]),
    .testTarget(
      name: "StoreRepairTests",
      dependencies: [
        "StoreText",
        "StoreSQLite", "StorePropertyLists", "StoreDigests", "StoreJSON", "StoreWords", "StoreFindings",
        "StoreDataModel", "StoreCoreData", "StoreMigration", "StoreModels", "StoreScanning", "StoreRows",
        "StoreDiagnosis", "StorePublishing", "StoreRepair", "StoreGenerator", "TestSupport", "kill-target",
        "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreMigratorTests",
      dependencies: [
        "StoreSQLite", "StoreFindings", "StoreDataModel", "StoreCoreData", "StoreModels", "StoreRows", "StoreDiagnosis",
        "StoreMigration", "StorePublishing", "StoreRepair", "StoreMigrator", "StoreGenerator", "TestSupport",
        "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreAuditTests",
      dependencies: [
        "StoreText",
        "StorePlatform", "StoreSQLite", "StoreJSON", "StoreSystem", "StorePlaces", "StoreFindings", "StoreDataModel",
        "StoreCoreData", "StoreModels",
        "StoreInspection", "StoreDiagnosis", "StorePublishing", "StoreRepair", "StoreAudit", "TestSupport",
        "StoreTestSupport",
      ]),
    .testTarget(
      name: "StoreReportsTests",
      dependencies: [
        "StoreSQLite", "StoreJSON", "StoreYAML", "StoreFindings", "StoreDataModel", "StoreSwiftDataSchemas",
        "StoreCoreData", "StoreSourceChecks", "StoreMigration", "StoreModels", "StoreInspection", "StoreDiagnosis",
        "StoreExplanation", "StoreSourceLint", "StoreRepair", "StoreAudit", "StoreRecovery", "StoreReports",
        "TestSupport", "StoreTestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "StoreText", "StorePlatform", "StoreSQLite", "StorePropertyLists", "StoreJSON", "StoreYAML", "StoreDataModel",
        "StoreGenerator",
        "TestSupport", "StoreDoctorCLI", "SwiftDataChild",
      ],
      exclude: ["Rows/independent_rows.py", "Rows/readable_database.py"]),
  ]
)

// `make static` builds programs for size; flags like these are not for a package that others depend on.
if Context.environment["STOREDOCTOR_STATIC"] != nil {
  // These go through pages and rows, so they stay built for speed.
  let fast: Set = [
    "StoreText", "SQLitePages", "StorePropertyLists", "StoreDigests", "StoreRecovery", "StoreScanning", "StoreRows",
    "StoreAnonymizing",
  ]
  #if os(Linux)
    // The linker optimizes all other modules as one, from bitcode that the frontend writes in the place of object files; its
    // outliner would make these slower.
    let bitcode = ["-emit-bc", "-lto=llvm-full", "-internalize-at-link"].flatMap { ["-Xfrontend", $0] }
    let optimizedByLinker = ["-no-emit-module-separately-wmo"] + bitcode
  #else
    let optimizedByLinker: [String] = []
  #endif
  // Their commands are read by reflection.
  let commands: Set = ["StoreDoctorCLI", "SwiftDataChild"]
  for target in package.targets where target.type == .regular || target.type == .executable {
    var flags = fast.contains(target.name) ? [] : ["-Osize"]
    if commands.contains(target.name) {
      target.dependencies.append("FoundationEssentials")
    } else {
      flags += ["-Xfrontend", "-disable-reflection-metadata"]
    }
    // Texts are replaced by objects that keep what they know between them, of which each access would be checked.
    if target.name == "StoreAnonymizing" { flags.append("-enforce-exclusivity=unchecked") }
    flags += fast.contains(target.name) ? [] : optimizedByLinker
    target.swiftSettings = [.unsafeFlags(flags)]
  }
  package.targets.append(.target(name: "FoundationEssentials", path: "Static/FoundationEssentials"))
}

// `STOREDOCTOR_TESTS=StoreRecoveryTests,CommandTests swift build --build-tests` builds these test modules alone: after a
// change far down, all others take most of the time.
if let chosen = Context.environment["STOREDOCTOR_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !chosen.contains($0.name) }
}

// `make` compiles for speed what goes through bytes, rows and models, without a second build: tests start the program thousands
// of times. What words and shows answers takes little of their time, and four times as long to build when it is optimized.
if Context.environment["STOREDOCTOR_OPTIMISED"] == "1", Context.environment["STOREDOCTOR_STATIC"] == nil {
  let plain: Set = [
    "StoreWords", "StoreFindings", "StoreSwiftDataSchemas", "StoreSourceChecks", "StoreModels", "StoreInspection",
    "StoreExplanation", "StoreTriage", "StoreSourceLint", "StoreSamples", "StoreAudit", "StoreDoctor", "StoreReports",
    "StoreSwiftCode", "StoreStageFunctions", "SwiftDataSource", "SwiftDataLint", "StoreDoctorCLI", "SwiftDataChild",
    "corpus-maker", "bench-store", "bench-model", "bench-scan", "kill-target",
  ]
  for target in package.targets where target.type == .regular || target.type == .executable {
    guard !plain.contains(target.name) else { continue }
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
  }
}

// A build from nothing, as CI's, takes less of the processor where each module is compiled as one; one after a change takes
// longer. The last module is no part of it: its files are compiled beside each other when nothing else is left.
if Context.environment["STOREDOCTOR_WHOLE"] == "1", Context.environment["STOREDOCTOR_STATIC"] == nil {
  for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    guard target.name != "CommandTests" else { continue }
    // With threads there is an object file for each source, as SwiftPM expects.
    let flags = ["-whole-module-optimization", "-num-threads", "2"]
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags)]
  }
}
