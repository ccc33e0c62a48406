// What the service manager keeps for us over a restart (`FileDescriptorStoreMax=`): open descriptors by their names, each
// with a note of its own, in memory alone. The two are given in one message, so that neither comes without the other. Where there is no manager, or it keeps nothing, they are just closed.

import CSystemd
import Glibc

public enum DescriptorStore {
    /// Names of ours begin so; `SocketActivation` hands those back.
    public static let prefix = "kept-"

    /// Gives away a copy. False where there is nobody to take it, or no memory for the note.
    public static func keep(_ descriptor: Int32, with note: [UInt8], as name: String) -> Bool {
        let file = pass_memory_file()
        guard file >= 0 else { return false }
        defer { close(file) }
        var rest = note[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(prefix)\(name)", [file, descriptor], 2) > 0
    }

    /// Else the manager would hold its copies open, and hand them over again.
    public static func forget(_ name: String) { sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(prefix)\(name)") }

    /// Waits until the manager has taken what it was given: it looks for us by our process, which is about to end.
    public static func settle(within seconds: UInt64 = 2) { sd_notify_barrier(0, seconds * 1_000_000) }

    /// A note that was handed back. Nil if it is no plain file or too long.
    static func note(in descriptor: Int32, limit: Int) -> [UInt8]? {
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

/// What was kept under one name, as it was handed back, in any order.
public enum KeptDescriptors {
    /// A connection and its note. Everything is closed, and it is nil, unless there is exactly one of each.
    public static func take(_ descriptors: [Int32], longestNote: Int) -> (connection: Int32, note: [UInt8])? {
        let connections = descriptors.filter { sd_is_socket_unix($0, Int32(SOCK_STREAM.rawValue), 0, nil, 0) > 0 }
        let notes = descriptors.filter { !connections.contains($0) }
        guard descriptors.count == 2, connections.count == 1, notes.count == 1,
            let note = DescriptorStore.note(in: notes[0], limit: longestNote)
        else {
            for number in descriptors { close(number) }
            return nil
        }
        close(notes[0])
        return (connections[0], note)
    }
}
