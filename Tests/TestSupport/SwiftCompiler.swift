/// The compiler that built the tests, to check source.
package enum SwiftCompiler {
  /// Whether there is one.
  package static let isPresent =
    (try? Python.run("import shutil, sys; sys.exit(shutil.which('swiftc') is None)")) != nil

  /// The compiler's messages about files of one module; empty if there are none.
  ///
  /// - Parameter ignored: a part of messages that are left out.
  package static func complaints(aboutFiles files: [String], ignoring ignored: String = "\n") throws -> String {
    let folder = try TemporaryFolder()
    for (number, text) in files.enumerated() { try folder.write(Array(text.utf8), to: "Source\(number).swift") }
    let script = """
      import glob, subprocess, sys
      files = glob.glob(sys.argv[1] + "/*.swift")
      run = subprocess.run(["swiftc", "-typecheck", "-swift-version", "5", "-suppress-warnings", *files], capture_output=True, text=True)
      print("\\n".join(line.split("/")[-1] for line in run.stderr.splitlines() if "error:" in line and sys.argv[2] not in line)[:4000], end="")
      """
    return String(decoding: try Python.run(script, [folder.path, ignored]), as: UTF8.self)
  }

  /// What a program of one file prints.
  package static func output(ofProgram text: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(Array(text.utf8), to: "main.swift")
    let script = """
      import subprocess, sys
      folder = sys.argv[1]
      subprocess.run(["swiftc", "-swift-version", "5", "-suppress-warnings", folder + "/main.swift", "-o", folder + "/main"], check=True)
      sys.stdout.buffer.write(subprocess.run([folder + "/main"], capture_output=True, check=True).stdout)
      """
    return String(decoding: try Python.run(script, [folder.path]), as: UTF8.self)
  }
}
