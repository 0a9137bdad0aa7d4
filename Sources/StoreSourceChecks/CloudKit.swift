import StoreFindings

extension SourceCheck {
  // A container mirrors where its configuration says so, or says nothing and the entitlements nearest to its file have a
  // container of CloudKit. It may mirror where that is decided when the app runs or is built.

  package static let mirroredUniqueness = SourceCheck(
    "SD971", "uniqueness-with-cloudkit", .error, needs: [.containers],
    summary: "A mirrored model has a uniqueness constraint.",
    looksFor: """
      `.unique` or `#Unique` of a class in a container that mirrors to CloudKit: by `cloudKitDatabase:`, or unasked where
      that is left out and the `.entitlements` of the app have a container of CloudKit. A class that the `schema:` of
      another configuration names, one without CloudKit, is not mirrored. It is a warning where the container may mirror:
      `isOn ? .private("iCloud.notes") : .none`. What a function gets as a parameter is what its callers pass. A value
      that is not in the source, and entitlements whose containers are filled in when the app is built, are said to be not
      checked, once for a container. That holds for the other checks of CloudKit too.
      """,
    matters: "CloudKit has no atomic check of uniqueness: the container is refused.",
    bad: "@Attribute(.unique) var id: UUID = UUID()", good: "var id: UUID = UUID()",
    remedy: "Take the constraint away, and merge duplicates in the app.")

  package static let mirroredRequired = SourceCheck(
    "SD972", "required-attribute-with-cloudkit", .error, needs: [.containers],
    summary: "A mirrored attribute is required and has no default.",
    looksFor: "Attributes of a class in a mirrored container that are neither optional nor have an initial value.",
    matters: "\"CloudKit integration requires that all attributes be optional, or have a default value set\".",
    bad: "var name: String", good: "var name: String = \"\"", remedy: "Write a default, or make it optional.")

  package static let mirroredRelationship = SourceCheck(
    "SD973", "relationship-with-cloudkit", .error, needs: [.containers],
    summary: "A mirrored relationship is required, has no inverse, or denies deletion.",
    looksFor: """
      Relationships of a class in a mirrored container that are required, one-way, or have `.deny`. `[T] = []` is a
      warning: CloudKit's check asks for `[T]?`, though current systems load it.
      """, matters: "The container is refused, since records arrive in any order and one by one.",
    bad: "var list: List",
    good: "var list: List?", remedy: "Make it optional, name its inverse, and use another delete rule than `.deny`.")

  package static let mirroredRemoval = SourceCheck(
    "SD974", "removed-from-cloudkit", .warning, needs: [.containers],
    summary: "A mirrored property or class of an earlier version is gone.",
    looksFor: "What the last version of a mirrored plan lacks or has renamed.",
    matters: "The server's schema only grows: older versions of the app keep writing what is gone here.",
    bad: "// V1: var nick: String?   V2: (gone)", good: "var nick: String?  // kept, no longer shown",
    remedy: "Keep it, and leave it unused.")

  package static let oneFileTwoSettings = SourceCheck(
    "SD975", "one-file-two-cloud-settings", .warning, needs: [.containers],
    summary: "One store file is opened with CloudKit and without it, or for different classes.",
    looksFor: """
      Two containers, as those of an app and of its extension, whose configurations name the same file (`url:`, or
      `groupContainer:` and a name), one with `cloudKitDatabase: .none` and one that mirrors, or does where the target has
      the entitlement; and two that are made for different classes. One that takes the other's place where that cannot be
      made is left alone.
      """,
    matters: """
      The one mirrors what the other changes as a plain store: history and records get out of step. And the one with fewer
      classes migrates the store to them.
      """,
    bad: "ModelConfiguration(url: place)  // and elsewhere ModelConfiguration(url: place, cloudKitDatabase: .none)",
    good: "ModelConfiguration(url: place, cloudKitDatabase: .none)  // in both",
    remedy: "State the same `cloudKitDatabase:` in both.")
}
