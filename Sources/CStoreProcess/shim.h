// The process: its memory, and a copy of it that outlives it. Swift has no fork, since what a copy may do is little: calls that
// take no lock and no memory, which is all that is done here.
#ifndef STOREDOCTOR_CPROCESS_H
#define STOREDOCTOR_CPROCESS_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Has memory of `bytes` and more given back to the system as soon as it is free. Glibc raises its own limit to what was freed
/// once, up to 32 MiB, and keeps pieces of that size for later.
static inline void storedoctor_return_memory(int bytes) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
#else
  (void)bytes;
#endif
}

/// Gives memory that is free back to the system.
static inline void storedoctor_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Closes all files from `first` on, so that the copy keeps no lock, no pipe and no terminal of the process.
static inline void storedoctor_close_from(int first) {
#if defined(__linux__) && defined(SYS_close_range)
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 65536) most = 65536;
  for (int file = first; file < most; file++) close(file);
}

/// Starts a copy of this process that waits for its end, and then removes files and a folder.
///
/// Neither the keyboard's signals nor those to this process's group reach the copy. It is ended by SIGKILL, which makes it
/// remove nothing.
///
/// - Parameters:
///   - files: paths, the last of them NULL.
///   - folder: a folder to remove with all that is in it; it may be missing.
///   - end: is set to a descriptor that this process must keep open for as long as nothing is to be removed.
/// - Returns: the copy's number, or -1 where there can be none.
static inline pid_t storedoctor_remove_at_end(
    const char *const *files, const char *folder, int *end) {
  int ends[2];
  // Programs that this one runs must not keep it open.
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  pid_t copy = fork();
  if (copy != 0) {
    close(ends[0]);
    if (copy < 0) close(ends[1]);
    *end = ends[1];
    return copy;
  }
  setsid();
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  if (ends[0] != 0) dup2(ends[0], 0);
  storedoctor_close_from(1);
  char byte;
  ssize_t count;
  do count = read(0, &byte, 1);
  while (count > 0 || (count < 0 && errno == EINTR));
  for (; *files; files++) unlink(*files);
  struct stat status;
  if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode))
    execl("/bin/rm", "rm", "-rf", "--", folder, (char *)0);
  _exit(0);
}

#endif
