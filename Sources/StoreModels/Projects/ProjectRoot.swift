import StoreCoreData
import StorePlatform
import StoreSQLite

/// The folder in which everything of a model's project or app lies, and how far below it to look.
struct ProjectRoot {
  /// The folder.
  let folder: PosixPath
  /// How much of it is looked at.
  let limits: ProjectSearch.Limits

  /// The most folders above a model that are considered.
  private static let mostLevels = 32

  /// The root for a model at a path; nil if there is no folder around it that may be looked through.
  ///
  /// The outermost app or archive around the model; else the root of its git repository; else the nearest folder with an
  /// Xcode project, workspace or package; else the folder above the one the model is in. The root of the file system, a
  /// user's home and folders that are everybody's, such as `/tmp`, are never looked through.
  init?(around model: PosixPath) {
    var inside: [PosixPath] = []
    var next = model.folder
    while inside.count < Self.mostLevels, !Self.isEverybodys(next) {
      inside.append(next)
      next = next.folder
    }
    if let app = inside.last(where: \.isBuilt) {
      self.init(app)
    } else if let repository = inside.first(where: { FileSystem.kind(of: $0.child(Array(".git".utf8))) != nil }) {
      self.init(repository)
    } else if let project = inside.first(where: Self.holdsProject) {
      self.init(project)
    } else if let nearby = inside.prefix(2).last {
      self.init(nearby, limits: .nearby)
    } else {
      return nil
    }
  }

  private init(_ folder: PosixPath, limits: ProjectSearch.Limits = .init()) {
    self.folder = folder
    self.limits = limits
  }

  private static func holdsProject(_ folder: PosixPath) -> Bool {
    (FileSystem.names(in: folder) ?? []).contains { name in
      let path = PosixPath(bytes: name)
      return path.hasEnding(".xcodeproj") || path.hasEnding(".xcworkspace") || name == Array("Package.swift".utf8)
    }
  }

  /// Whether a folder is the root of the file system, a user's home, or one in which everybody may make files.
  private static func isEverybodys(_ folder: PosixPath) -> Bool {
    var status = stat()
    guard folder.withCString({ stat($0, &status) }) == 0 else { return true }
    if status.st_mode & S_ISVTX != 0 { return true }
    let homes = [PosixPath("/"), getenv("HOME").map { PosixPath(String(cString: $0)) }].compactMap(\.self)
    return homes.contains { home in
      var other = stat()
      return home.withCString { stat($0, &other) } == 0 && other.st_ino == status.st_ino
        && other.st_dev == status.st_dev
    }
  }
}
