// Changes a store in one of three ways, over and over, until it is killed or done:
//
//     kill-target output STORE TARGET
//     kill-target in-place STORE
//     kill-target undo JOURNAL
//
// It says "ready" on standard output when the work begins.

import StorePublishing
import StoreRepair
import StoreCoreData
import Foundation
import StoreSQLite

func change(_ connection: Connection, _ recorder: ChangeRecorder) throws {
  for part in 0..<4 {
    try connection.allowingWrites(to: ["ZFOLDER", "ZTAG"]) {
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT \(1000 + 1000 * part) UNION ALL SELECT i + 1 FROM n WHERE i < \(1999 + 1000 * part))
          INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 2, 1, printf('%0100d', i) FROM n;
        UPDATE ZTAG SET ZNAME = ZNAME || '!';
        """)
    }
    try recorder.step()
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let path = PosixPath(arguments[2])
FileHandle.standardOutput.write(Data("ready\n".utf8))
do {
  switch arguments[1] {
  case "output":
    try publish(
      Store(path), to: OutputTarget(PosixPath(arguments[3])), change: change, verify: { _ = try Store($0) })
  case "in-place": _ = try changeInPlace(Store(path), change: change, verify: { _ in })
  case "undo": _ = try undo(path)
  default: exit(64)
  }
} catch {
  print("\(error)")
  exit(2)
}
