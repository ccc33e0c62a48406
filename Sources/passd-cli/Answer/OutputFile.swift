// Writes whole files, and checks that their content is on the disk. Some file systems report a full disk only when a file
// is synchronized or closed.

import Glibc
import PassArguments
import PassProtocol

enum OutputFile {
    /// Creates a file that only the caller may read. An existing file is never overwritten. If writing fails, the file is
    /// removed.
    static func create(
        _ path: String, with text: String, remedy: String = "Name another file."
    ) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path, errno, remedy) }
        guard let problem = fill(file, with: text) else { return }
        unlink(path)
        throw failure(path, problem, remedy)
    }

    private static func failure(_ path: String, _ number: Int32, _ remedy: String) -> Failure {
        Failure(
            .failed, name: "WRITE", "\(path.onOneLine) cannot be written: \(String(cString: strerror(number))).",
            remedy: remedy)
    }

    /// Appends to a file that `create` made.
    static func append(_ text: String, to path: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC)
        guard let problem = file < 0 ? errno : fill(file, with: text) else { return }
        throw failure(path, problem, "Name another file.")
    }

    /// Replaces a file, with read permission for all users. A reader sees the old text or the new text, never a part of it. If
    /// several programs replace the file at the same time, the last one wins.
    static func replace(_ path: String, with text: String) throws(Failure) {
        let remedy = "Check that the directory exists, that you may write to it, and that there is free space."
        // The temporary file is hidden and has another suffix, so that programs that collect files by name skip it.
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = path[..<slash]
        let prefix = ".\(path[slash...])."
        removeLeftovers(in: folder.isEmpty ? "." : String(folder), prefix: prefix)
        var template = Array("\(folder)\(prefix)\(placeholder)".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure(path, errno, remedy) }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let refusal = fchmod(file, 0o644) == 0 ? nil : errno
        if let problem = fill(file, with: text) ?? refusal ?? (rename(temporary, path) == 0 ? nil : errno) {
            unlink(temporary)
            throw failure(path, problem, remedy)
        }
    }

    /// Writes the text and closes the file. Returns the number of the first error, or nil.
    static func fill(_ file: Int32, with text: String) -> Int32? {
        let problem = Descriptors.write(text, to: file) ?? (fsync(file) == 0 ? nil : errno)
        // EINTR is no error here, because `close` closes the file even if it is interrupted.
        let isClosed = close(file) == 0 || errno == EINTR
        return problem ?? (isClosed ? nil : errno)
    }

    private static let placeholder = "XXXXXX"

    /// Removes the temporary files of crashed programs.
    private static func removeLeftovers(in folder: String, prefix: String) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + placeholder.utf8.count else {
                continue
            }
            // A writer needs less than a minute, so an older file is from a crashed program.
            var facts = stat()
            let number = dirfd(directory)
            guard fstatat(number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG,
                facts.st_uid == geteuid(), facts.st_mtim.tv_sec < time(nil) - 60
            else { continue }
            unlinkat(number, name, 0)
        }
    }
}
