// Replaces a file as a whole: whoever reads it sees the former text or the new one, never a part. Several programs may do
// so at the same time; the last one counts.

import Glibc
import PassProtocol

enum FileReplacement {
    /// Everybody may read the file.
    static func replace(_ path: String, with text: String) throws(Failure) {
        // Hidden, and with another end, so that nobody who collects files by their names takes it for one of them.
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = path[..<slash]
        let prefix = ".\(path[slash...])."
        removeLeftovers(in: folder.isEmpty ? "." : String(folder), prefix: prefix)
        var template = Array("\(folder)\(prefix)\(placeholder)".utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure(path, errno) }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let refusal = fchmod(file, 0o644) == 0 ? nil : errno
        if let problem = FileContent.write(text, closing: file) ?? refusal {
            unlink(temporary)
            throw failure(path, problem)
        }
        guard rename(temporary, path) == 0 else {
            let problem = errno
            unlink(temporary)
            throw failure(path, problem)
        }
    }

    private static let placeholder = "XXXXXX"
    /// Whoever has written for that long, in seconds, has ended without a trace.
    private static let longestWriting = 60

    /// Removes what programs have left that ended in the middle of it.
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
            var facts = stat()
            let number = dirfd(directory)
            guard fstatat(number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0, facts.st_mode & S_IFMT == S_IFREG,
                facts.st_uid == geteuid(), facts.st_mtim.tv_sec < time(nil) - longestWriting
            else { continue }
            unlinkat(number, name, 0)
        }
    }

    private static func failure(_ path: String, _ number: Int32) -> Failure {
        Failure(
            .failed, name: "OUTPUT", "Cannot write \(path.onOneLine): \(String(cString: strerror(number))).",
            remedy: "Check the directory: whether it exists, who may write to it, and free space.")
    }
}
