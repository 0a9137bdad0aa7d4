// swift-tools-version: 6.0
import PackageDescription

// `swift package storedoctor-lint` for packages that depend on this one: the program comes with it, and is not built.
//
//     dependencies: [.package(path: "../storedoctor-0.2.0-swiftpm")]
let package = Package(
  name: "storedoctor-swiftpm",
  products: [.plugin(name: "StoreDoctorLint", targets: ["StoreDoctorLint"])],
  targets: [
    .binaryTarget(name: "storedoctor", path: "storedoctor.artifactbundle"),
    .plugin(
      name: "StoreDoctorLint",
      capability: .command(
        intent: .custom(verb: "storedoctor-lint", description: "Find mistakes in SwiftData source with storedoctor.")),
      dependencies: ["storedoctor"]),
  ])
