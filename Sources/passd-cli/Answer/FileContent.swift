// Writes the content of a file that was just made, and finds out whether it got there: some file systems tell only when the
// file is synchronized or closed that there was no room.

import Glibc

enum FileContent {
    /// Closes the file. Returns the error number of what fails.
    static func write(_ text: String, closing file: Int32) -> Int32? {
        let problem = fill(file, with: Array(text.utf8)) ?? (fsync(file) == 0 ? nil : errno)
        // An interrupted close has closed the file.
        let isClosed = close(file) == 0 || errno == EINTR
        return problem ?? (isClosed ? nil : errno)
    }

    private static func fill(_ file: Int32, with bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
