import StorePlatform

/// Opens those of the descriptors 0, 1 and 2 that are closed, so that no file gets their numbers.
///
/// A program may be started without them (`>&-`, some daemons). The first file it opened would then become its standard
/// output or standard error. They are opened in the wrong direction, so that reading and writing fail as they would on
/// a closed descriptor.
func fillStandardDescriptors() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // `open` returns the lowest free number, which is this one, since lower ones are in use by now.
    guard open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == descriptor else {
      standardError("storedoctor: descriptor \(descriptor) is closed, and '/dev/null' cannot be opened in its place")
      exit(2)
    }
  }
}
