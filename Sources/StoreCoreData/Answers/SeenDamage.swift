extension Store {
  /// What is damaged, as far as the pages read so far, and what `noteDamage` was told, gave reason to ask.
  package var seenDamage: SeenDamage {
    guard let pageWatcher, pageWatcher.isFlawed else { return SeenDamage() }
    do {
      return try pageWatcher.damage {
        let report = try integrity(.quick)
        var damage = SeenDamage()
        for tree in report.trees where !tree.isIndex && !tree.pages.isEmpty { damage.tables[tree.name] = tree.pages }
        damage.problem = report.problem
        return damage
      }
    } catch {
      return SeenDamage(problem: "\(error)")
    }
  }
}
