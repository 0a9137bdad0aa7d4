#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Takes those of the descriptors 0, 1 and 2 that are not open, so that no file gets one of their numbers; what stands
/// in for them is open the wrong way round, and fails. `storedoctor` does the same, and says why.
func fillStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    guard open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == descriptor else {
      let message = "descriptor \(descriptor) is closed, and '/dev/null' cannot be opened in its place"
      write("storedoctor-swiftdata: \(message)\n", to: .error)
      exit(2)
    }
  }
}
