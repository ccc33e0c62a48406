// Writes a file that did not exist before.

import Glibc

enum NewFile {
    /// Only the caller may read the file, and no other file is overwritten. Returns why it cannot be written.
    static func write(_ text: String, to path: String) -> String? {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                unlink(path)
                return reason
            }
        }
        return nil
    }
}
