#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

import StoreSQLite

/// The path of this program, to start it as a worker.
var programPath: String {
  #if os(Linux)
    if let path = try? PosixPath("/proc/self/exe").resolved() { return path.description }
  #endif
  return CommandLine.arguments[0]
}

/// This process's environment, with backtraces off (they take minutes) and malloc tuned for many small stores.
var workerEnvironment: [String: String] {
  var environment: [String: String] = [:]
  var next = environ
  while let entry = next.pointee {
    let words = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if words.count == 2 { environment[String(words[0])] = String(words[1]) }
    next += 1
  }
  environment["SWIFT_BACKTRACE"] = "enable=no"
  #if canImport(Glibc)
    // A small store allocates and frees thousands of small pieces of memory. glibc 2.36 caches seven of each size by
    // default, and the others take five times as long: 3 % of all instructions. Before 2.30, 127 is the limit. Free
    // memory at the end of the heap goes back to the system and is requested again for the next store: 100,000 to
    // 220,000 page faults in 10,000 stores, 4,000 with these limits, and 8 % of the time.
    if environment["GLIBC_TUNABLES"] == nil {
      environment["GLIBC_TUNABLES"] =
        "glibc.malloc.tcache_count=127:glibc.malloc.trim_threshold=67108864:glibc.malloc.mmap_threshold=33554432"
    }
  #endif
  return environment
}
