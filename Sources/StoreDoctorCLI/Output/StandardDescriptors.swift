#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes those of the descriptors 0, 1 and 2 that are not open, so that no file gets one of their numbers.
///
/// A program may be started without them (`>&-`, some daemons). The first file it opened would then be its standard
/// output or standard error, and hold lines and messages that nobody wanted there. What stands in for them is open the
/// wrong way round: to read or write fails, as it does without them.
func fillStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // It gets the lowest number that is free, which is this one: those below are taken by now.
    guard open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == descriptor else {
      standardError("storedoctor: descriptor \(descriptor) is closed, and '/dev/null' cannot be opened in its place")
      exit(2)
    }
  }
}
