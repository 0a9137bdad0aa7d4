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
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "PropertyLists", dependencies: ["CZlib"]),
    .target(name: "Digests", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    .target(name: "JSON"),
    .target(name: "YAML", dependencies: [.product(name: "Yams", package: "Yams")]),
    .target(name: "CoreDataModel", dependencies: ["CExpat", "PropertyLists", "Digests", "JSON"]),
    .target(name: "SwiftDataSchemas", dependencies: ["JSON", "CoreDataModel"]),
    .target(
      name: "SwiftDataSource",
      dependencies: [
        "JSON", "CoreDataModel", "SwiftDataSchemas",
        .product(name: "SwiftSyntax", package: "swift-syntax"), .product(name: "SwiftParser", package: "swift-syntax"),
      ]),
    .target(name: "CoreDataStore", dependencies: ["SQLite", "PropertyLists", "Digests", "CoreDataModel"]),
    .target(name: "StoreGenerator", dependencies: ["SQLite", "PropertyLists", "CoreDataModel", "CoreDataStore"]),
    .target(
      name: "StoreDoctor",
      dependencies: [
        "CZlib", "JSON", "YAML", "SQLite", "Digests", "CoreDataModel", "CoreDataStore", "SwiftDataSchemas",
      ]),
    // The checks of Swift source. Linked into storedoctor-swiftdata only, as swift-syntax is.
    .target(
      name: "SwiftDataLint",
      dependencies: [
        "PropertyLists", "Digests", "CoreDataModel", "StoreDoctor", "SwiftDataSchemas", "SwiftDataSource",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .target(
      name: "StoreReports",
      dependencies: [
        "JSON", "Digests", "CoreDataModel", "CoreDataStore", "StoreDoctor", "SwiftDataSchemas",
        .product(name: "Mustache", package: "swift-mustache"),
      ]),
    .executableTarget(
      name: "StoreDoctorCLI",
      dependencies: [
        "SQLite", "CoreDataModel", "CoreDataStore", "StoreDoctor", "StoreReports",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "SwiftDataChild",
      dependencies: [
        "JSON", "SwiftDataLint", "SwiftDataSchemas", "SwiftDataSource",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "corpus-maker", dependencies: ["PropertyLists", "CoreDataModel", "StoreGenerator"],
      path: "Sources/CorpusMaker"),
    .executableTarget(
      name: "bench-store", dependencies: ["CoreDataModel", "StoreGenerator"], path: "Sources/BenchStore"),
    .executableTarget(
      name: "bench-model", dependencies: ["CoreDataModel", "StoreGenerator"], path: "Sources/BenchModel"),
    .executableTarget(name: "bench-scan", dependencies: ["SQLite"], path: "Sources/BenchScan"),

    .target(name: "TestSupport", dependencies: ["CoreDataModel", "PropertyLists"], path: "Tests/TestSupport"),
    // Changes stores in a process of its own, for tests that kill it.
    .executableTarget(
      name: "kill-target", dependencies: ["SQLite", "CoreDataStore", "StoreDoctor"], path: "Tests/KillTarget"),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "CSQLite"]),
    .testTarget(name: "PropertyListsTests", dependencies: ["PropertyLists", "TestSupport"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "YAMLTests", dependencies: ["YAML", "TestSupport"]),
    .testTarget(
      name: "CoreDataModelTests",
      dependencies: [
        "JSON", "Digests", "CoreDataModel", "CoreDataStore", "PropertyLists", "StoreGenerator", "TestSupport",
      ]),
    .testTarget(
      name: "SwiftDataSourceTests",
      dependencies: ["JSON", "CoreDataModel", "SwiftDataSchemas", "SwiftDataSource", "TestSupport"]),
    .testTarget(
      name: "SwiftDataLintTests",
      dependencies: ["JSON", "StoreDoctor", "SwiftDataLint", "SwiftDataSchemas", "SwiftDataSource", "TestSupport"]),
    .testTarget(
      name: "CoreDataStoreTests",
      dependencies: ["SQLite", "CoreDataModel", "CoreDataStore", "StoreGenerator", "TestSupport"]),
    .testTarget(
      name: "StoreGeneratorTests",
      dependencies: ["SQLite", "CoreDataModel", "CoreDataStore", "StoreGenerator", "PropertyLists", "TestSupport"]),
    .testTarget(
      name: "StoreDoctorTests",
      dependencies: [
        "JSON", "CoreDataModel", "CoreDataStore", "StoreDoctor", "StoreGenerator", "SQLite", "SwiftDataSchemas",
        "TestSupport", "kill-target",
      ]),
    .testTarget(
      name: "StoreReportsTests",
      dependencies: [
        "JSON", "YAML", "SQLite", "CoreDataModel", "CoreDataStore", "StoreDoctor", "StoreReports", "TestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "StoreDoctorCLI", "SwiftDataChild", "SQLite", "PropertyLists", "CoreDataModel", "CoreDataStore",
        "StoreGenerator", "TestSupport",
      ]),
  ]
)
