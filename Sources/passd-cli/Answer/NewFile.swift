// Writes a file that did not exist before, and adds to it.

import Glibc

enum NewFile {
    /// Only the caller may read the file, and no other file is overwritten. Returns why it cannot be written; nothing is left
    /// then.
    static func write(_ text: String, to path: String) -> String? {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        guard let problem = FileContent.write(text, closing: file) else { return nil }
        unlink(path)
        return String(cString: strerror(problem))
    }

    /// Returns why it cannot be written.
    static func append(_ text: String, to path: String) -> String? {
        let file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        return FileContent.write(text, closing: file).map { String(cString: strerror($0)) }
    }
}
