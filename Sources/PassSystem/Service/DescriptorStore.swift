// What the service manager keeps for us over a restart (`FileDescriptorStoreMax=`): open descriptors by their names, and
// notes that belong to them, in memory alone. Where there is no manager, or it keeps nothing, they are just closed.

import CSystemd
import Glibc

public enum DescriptorStore {
    /// Names of ours begin so; `SocketActivation` hands those back.
    public static let prefix = "kept-"

    /// Gives away a copy. False where there is nobody to take it.
    @discardableResult public static func keep(_ descriptor: Int32, as name: String) -> Bool {
        sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(prefix)\(name)", [descriptor], 1) > 0
    }

    public static func keep(_ notes: [UInt8], as name: String) -> Bool {
        let file = pass_memory_file()
        guard file >= 0 else { return false }
        defer { close(file) }
        var rest = notes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return keep(file, as: name)
    }

    /// Else the manager would hold its copy open, and hand it over again.
    public static func forget(_ name: String) { sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(prefix)\(name)") }

    /// Waits until the manager has taken what it was given: it looks for us by our process, which is about to end.
    public static func settle(within seconds: UInt64 = 2) { sd_notify_barrier(0, seconds * 1_000_000) }

    /// Notes that were handed back. Nil if it is no plain file or too long.
    public static func notes(in descriptor: Int32, limit: Int = 4 << 20) -> [UInt8]? {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= limit else {
            return nil
        }
        var content = [UInt8](repeating: 0, count: Int(facts.st_size))
        var offset = 0
        while offset < content.count {
            let count = content.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset, off_t(offset))
            }
            guard count > 0 else { return nil }
            offset += count
        }
        return content
    }
}
