// The daemon's exit codes, after sysexits.h. operations.md §1, §2.

enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 64
    /// The service manager is to start it again; see passd.service.
    case again = 75
    case configuration = 78
}
