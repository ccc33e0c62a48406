// Replaces a file as a whole: whoever reads it sees the former text or the new one, never a part. Several programs may do
// so at the same time; the last one counts.

import Glibc

enum FileReplacement {
    /// Everybody may read the file.
    static func replace(_ path: String, with text: String) throws(Failure) {
        // Hidden, and with another end, so that nobody who collects files by their names takes it for one of them.
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        var template = Array("\(path[..<slash]).\(path[slash...]).XXXXXX".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure(path, errno) }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let problem = fill(file, with: Array(text.utf8))
        close(file)
        if let problem {
            unlink(temporary)
            throw failure(path, problem)
        }
        guard rename(temporary, path) == 0 else {
            let problem = errno
            unlink(temporary)
            throw failure(path, problem)
        }
    }

    /// Returns the error number of what fails.
    private static func fill(_ file: Int32, with bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return fchmod(file, 0o644) == 0 ? nil : errno
    }

    private static func failure(_ path: String, _ number: Int32) -> Failure {
        Failure(
            .failed, name: "OUTPUT", "Cannot write \(path.onOneLine): \(String(cString: strerror(number))).",
            remedy: "Check the directory: whether it exists, who may write to it, and free space.")
    }
}
