import Foundation
import TestSupport
import Testing

@Suite struct AuditShardTests {
  @Test func shardsTogetherAreTheWhole() throws {
    let place = try TemporaryFolder()
    let stores = ["Club", "Notes", "School", "SchoolBridge", "Shapes", "Shop"].map {
      Project.path("corpus/\($0).sqlite")
    }
    let whole = try place.write(Array(AuditRun(stores).outcome.output.utf8), to: "whole")
    let parts = try (1...4).map { number in
      try place.write(Array(AuditRun(stores + ["--shard", "\(number)/4"]).outcome.output.utf8), to: "part \(number)")
    }
    let counts = try parts.map { try String(decoding: contents(of: $0), as: UTF8.self).split(separator: "\n").count }
    #expect(counts.reduce(0, +) == 6)
    let merged = try AuditRun(["--merge"] + parts)
    #expect(merged.outcome.output == (try AuditRun(["--merge", whole]).outcome.output))
    // Which shard a store is in depends on its id alone, if it has one, and else on its path.
    let named = try place.write(
      Array(stores.enumerated().map { "{\"id\": \"\($0)\", \"path\": \"\($1)\"}\n" }.joined().utf8), to: "list")
    #expect(try AuditRun(["--from", named, "--shard", "2/3"]).lines.map(\.id) == ["1", "2", "3", "4"])
  }

  @Test(arguments: ["0/4", "5/4", "1", "a/b", "1/0", "-1/2"]) func aShardIsAPartOfSomething(words: String) throws {
    #expect(try AuditRun([Project.path("corpus"), "--shard=\(words)"]).status == 64)
  }
}
