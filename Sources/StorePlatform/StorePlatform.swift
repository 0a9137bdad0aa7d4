// The one place where the system's own library is imported. What all systems have under the same name is passed on as
// it is: every module that imports `StorePlatform` can call `stat` or `read`.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

/// What Linux and macOS name differently, or do differently, under one name each.
///
/// Everything that differs has a twin in `Platform+Linux.swift` and `Platform+Darwin.swift`; no other module asks which
/// system it is built for. macOS has never run this: `make check-darwin` type-checks its side.
package enum Platform {
  /// What can be added to "permission denied": what the user has to allow before this file can be read, or nothing.
  package static func advice(onRefusalOf path: String) -> String {
    permissionNeeded(for: path).map { "; it needs \($0)" } ?? ""
  }
}
