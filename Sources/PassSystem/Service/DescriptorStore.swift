// Descriptors that the service manager keeps for us over a restart (`FileDescriptorStoreMax=`). Each descriptor is kept under a
// name, together with a note, which is a file in memory. One message sends both, so that the manager never keeps one without
// the other. Without a service manager that keeps descriptors, nothing is handed over.

import CLinux
import CSystemd
import Glibc

public enum DescriptorStore {
    /// All names of kept descriptors begin with this prefix. After the restart, `SocketActivation` finds the descriptors by
    /// this prefix.
    public static let prefix = "kept-"

    /// Sends copies of the descriptor and the note to the manager. Returns false if there is no service manager, or no memory
    /// for the note.
    public static func keep(_ descriptor: Int32, with note: [UInt8], as name: String) -> Bool {
        guard let file = memoryFile(note) else { return false }
        defer { close(file) }
        return sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(prefix)\(name)", [file, descriptor], 2) > 0
    }

    /// Tells the manager to close its copies of the descriptors, because otherwise the next start would get them again.
    public static func forget(_ name: String) { sd_notify(0, "FDSTOREREMOVE=1\nFDNAME=\(prefix)\(name)") }

    /// Waits until the manager has taken the descriptors. The manager looks up the sending process, so this process must still
    /// exist. Returns false after the time limit.
    @discardableResult public static func settle(within time: Duration = .seconds(2)) -> Bool {
        sd_notify_barrier(0, UInt64(max(0, time / .microseconds(1)))) > 0
    }

    /// Makes a file in memory. Nil if there is no memory or descriptor left.
    private static func memoryFile(_ content: [UInt8]) -> Int32? {
        let file = pass_memory_file()
        guard file >= 0 else { return nil }
        if write(file, content, content.count) == content.count { return file }
        close(file)
        return nil
    }

    /// Reads a note that was handed back. Nil if the note is too long or the descriptor is not a plain file.
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

/// The descriptors that were kept under one name, in any order.
public enum KeptDescriptors {
    /// Finds the connection or the listening socket, and its note. Unless there is exactly one of each, closes all descriptors
    /// and returns nil.
    public static func take(
        _ descriptors: [Int32], listening: Bool = false, maxNoteSize: Int
    ) -> (connection: Int32, note: [UInt8])? {
        let connections = descriptors.filter { UnixStream.isOne($0, listening: listening) }
        let notes = descriptors.filter { !connections.contains($0) }
        guard descriptors.count == 2, connections.count == 1, notes.count == 1,
            let note = DescriptorStore.note(in: notes[0], limit: maxNoteSize)
        else {
            for number in descriptors { close(number) }
            return nil
        }
        close(notes[0])
        return (connections[0], note)
    }
}
