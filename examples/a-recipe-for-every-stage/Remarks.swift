import CoreData

extension NSCustomMigrationStage {
  /// Gives each guest of `Guests 5` the remarks that `note` holds as plain text.
  func fillRemarks() {
    didMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      try context.performAndWait {
        for guest in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Guest")) {
          guard let note = guest.value(forKey: "note") as? String else { continue }
          guest.setValue(NSAttributedString(string: note), forKey: "remarks")
        }
        try context.save()
      }
    }
  }
}
