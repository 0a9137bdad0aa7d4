import StoreReports
import StoreSQLite
import StoreSystem
import StoreWords

/// Pages about the stores of an audit, in a folder of their own, with the page of the audit that leads to them.
///
/// Each is made by a process of its own, once all lines are there: a store that is gone by then, or that a page cannot be made
/// of, costs its own page and no other.
struct AuditPages {
  private let target: PosixPath
  private let words: [String]
  private let work: AuditWork

  /// - Throws: `OutputFileError` where such a folder cannot be written.
  init(_ folder: String, looks: AuditLooks, work: AuditWork, log: String?) throws {
    target = PosixPath(argument: folder)
    words = looks.pageWords + (log.map { ["--wal", $0] } ?? [])
    self.work = work
    try PageFolder.require(target)
  }

  /// Writes the pages, and notes them in the list of stores.
  ///
  /// - Parameter index: makes the page of the audit.
  func write(_ list: inout AuditStoreList, index: (AuditStoreList) -> String) throws {
    var linked = list
    var made = 0
    try PageFolder(target, isPrivate: false).write { folder in
      linked.link { paths in
        let links = pages(of: paths, in: folder)
        made = links.count { if case .file = $0 { true } else { false } }
        return links
      }
      try folder.write(index(linked), to: "index.html")
    }
    list = linked
    guard !work.quiet else { return }
    standardError(
      "storedoctor: wrote \(counted(made, "page")) about stores to \(quoted(target.description)); begin with index.html"
    )
  }

  /// The folder as a page in a file would name it: relative where both are in one place, with a slash at its end.
  func reference(from file: String?) -> String {
    let here = PosixPath(argument: file ?? "./page").sibling(named: Array(".".utf8))
    guard let from = try? here.resolved(), let to = try? target.resolved() else { return target.description + "/" }
    let slash = UInt8(ascii: "/")
    let (own, there) = (from.bytes.split(separator: slash), to.bytes.split(separator: slash))
    let common = zip(own, there).prefix { $0 == $1 }.count
    let steps =
      Array(repeating: "..", count: own.count - common) + there[common...].map { String(decoding: $0, as: UTF8.self) }
    return steps.map { $0 + "/" }.joined()
  }

  // MARK: Pages

  /// A page that is being made.
  private struct Work {
    var number: Int
    var file: String
    var path: String
    var process: ChildProcess
    var deadline: ContinuousClock.Instant
  }

  private func pages(of paths: [String?], in folder: PageFolder.Draft) -> [StorePageLink] {
    var links = paths.map { _ in StorePageLink.missing("it was not read") }
    var running: [Work] = []
    func collect() {
      guard !running.isEmpty else { return }
      let work = running.removeFirst()
      if let problem = problem(of: work) {
        links[work.number] = .missing(problem)
        standardError("storedoctor: no page about \(quoted(work.path)): \(escapedForTerminal(problem))")
      } else {
        links[work.number] = .file(work.file)
      }
    }
    for (number, path) in paths.enumerated() {
      guard let path else { continue }
      if running.count >= max(1, work.jobs ?? 2) { collect() }
      do {
        running.append(try start(number, path, in: folder))
      } catch {
        links[number] = .missing("\(error)")
        standardError("storedoctor: no page about \(quoted(path)): \(error)")
      }
    }
    while !running.isEmpty { collect() }
    return links
  }

  private func start(_ number: Int, _ path: String, in folder: PageFolder.Draft) throws -> Work {
    let name = path.split(whereSeparator: { $0 == "/" || $0 == "!" }).last.map(String.init) ?? path
    let file = "\(number + 1)-\(safeFileName(name)).html"
    let store = path.hasPrefix("-") ? "./" + path : path
    let said = (["storedoctor", "report", store] + words + ["--output", file]).map(shellQuoted).joined(separator: " ")
    let arguments =
      ["report", store, "--quiet", "--made-by", said, "--output", folder.place(of: file).description] + words
    let process = try ChildProcess(programPath, arguments, environment: workerEnvironment)
    return Work(
      number: number, file: file, path: path, process: process,
      deadline: .now + .milliseconds(Int(work.timeout * 1000)))
  }

  /// Why a page was not made; nil where it was.
  private func problem(of page: Work) -> String? {
    do {
      guard try page.process.readAll(atMost: 1 << 20, until: page.deadline) != nil else {
        return "it took more than \(work.timeout) s (--timeout)"
      }
      switch try page.process.wait() {
      case .exited(0): return nil
      case .exited(let status): return message(of: page.process) ?? "its process ended with status \(status)"
      case .signalled(let signal): return "its process was ended by signal \(signal)"
      }
    } catch {
      return "\(error)"
    }
  }

  /// The first line that it wrote about the problem.
  private func message(of process: ChildProcess) -> String? {
    let prefix = "storedoctor: "
    return process.messageText.split(whereSeparator: \.isNewline).first.map { line in
      line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : String(line)
    }
  }
}
