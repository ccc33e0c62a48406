// The descriptors that the service manager has passed to this process, from number 3 on, and their names. The protocol
// is that of sd_listen_fds_with_names(3), and stable.

import Glibc

enum PassedDescriptors {
    struct Fault: Error, Equatable { let reason: Int32 }

    private static let first: Int32 = 3

    /// Empty if there are none. Removes the variables from the environment, and closes the descriptors for children.
    static func take() throws(Fault) -> [(name: String, descriptor: Int32)] {
        let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
        let values = variables.map(ServiceManager.variable)
        for name in variables { unsetenv(name) }
        guard let process = values[0], let count = values[1] else { return [] }
        guard let process = pid_t(process), process > 0 else { throw Fault(reason: EINVAL) }
        // Whoever started us has left variables in the environment that were for itself.
        guard process == getpid() else { return [] }
        guard let count = Int32(count), (1...Int32.max - first).contains(count) else { throw Fault(reason: EINVAL) }
        // An absurd number ends here, at the first descriptor that is not open.
        for descriptor in first..<first + count {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Fault(reason: errno) }
        }
        let names =
            values[2].map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
            ?? [String](repeating: "unknown", count: Int(count))
        guard names.count == Int(count) else { throw Fault(reason: EINVAL) }
        return names.enumerated().map { ($1, first + Int32($0)) }
    }
}
