import StorePlatform
import StoreSQLite

/// Faults that tests have a worker make: crashes that no input is known to cause.
///
/// Only debug builds have them. A file's name requests one: `x.crash-11@checking.sqlite` raises signal 11 when that
/// stage begins, `x.hang@opening.sqlite` never ends, `x.eat@checking.sqlite` takes memory until there is none,
/// `x.exit-3@opening.sqlite` exits normally, `x.slow@opening.sqlite` takes half a second, `x.leave-6@checking.sqlite`
/// closes the connection a third of a second before it raises signal 6, and `x.leak-20@checking.sqlite` opens 20
/// descriptors and never closes them. They happen only if `STOREDOCTOR_FAULTS` is set; if it is `start`, a worker ends
/// before it can work, and if it is `late`, after five seconds.
enum WorkerFault {
  /// Makes the fault that an entry's name requests at this stage.
  static func strike(_ item: AuditItem, at stage: AuditStage) {
    #if DEBUG
      guard getenv("STOREDOCTOR_FAULTS") != nil else { return }
      for part in String(decoding: item.location.name, as: UTF8.self).split(whereSeparator: { $0 == "." || $0 == "!" })
      {
        let words = part.split(separator: "@")
        guard words.count == 2, words[1] == stage.name else { continue }
        make(words[0].split(separator: "-"))
      }
    #endif
  }

  /// Makes the fault of a worker that cannot start, or only later.
  static func strikeAtStart() {
    #if DEBUG
      switch getenv("STOREDOCTOR_FAULTS").map({ String(cString: $0) }) {
      case "start": exit(70)
      case "late": sleep(5)
      default: break
      }
    #endif
  }

  #if DEBUG
    private static func make(_ fault: [Substring]) {
      let number = fault.count > 1 ? Int32(fault[1]) ?? 0 : 0
      switch fault.first {
      case "crash": raise(number)
      case "hang": while true { pause() }
      case "exit": exit(number)
      case "slow": usleep(500_000)
      case "leak": for _ in 0..<number { _ = dup(STDERR_FILENO) }
      case "leave":
        shutdown(STDOUT_FILENO, Int32(SHUT_WR))
        usleep(300_000)
        raise(number)
      case "eat":
        var eaten: [[UInt8]] = []
        while true { eaten.append([UInt8](repeating: 1, count: 1 << 20)) }
      default: break
      }
    }
  #endif
}
