// A copy of the store, for reading it when its own folder is not writable: SQLite has to play back the log before the
// newest rows can be seen. The values stay sealed, and `deinit` removes the copy.

import Glibc

final class ScratchCopy {
    /// The most bytes of a file that is copied. The target may be in memory; a store is far smaller.
    private static let mostBytes = 64 << 20

    private let folder: String?
    private(set) var fault: FileFault?
    var database: String { (folder ?? "") + "/passd.db" }

    init(of directory: StateDirectory) {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        folder =
            [temporary, "/dev/shm", "/run"].lazy.compactMap { parent in
                var template = Array("\(parent)/passd-XXXXXX".utf8CString)
                guard mkdtemp(&template) != nil else { return nil }
                return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }.first
        guard folder != nil else {
            fault = FileFault("making a temporary directory")
            return
        }
        for suffix in ["", "-wal", CommitMark.suffix] {
            do throws(FileFault) {
                _ = try PlainFile.copy(directory.database + suffix, to: database + suffix, most: Self.mostBytes)
            } catch { if suffix != CommitMark.suffix { fault = error } }
        }
    }

    deinit {
        guard let folder else { return }
        // SQLite adds files of its own.
        for name in (try? FolderListing.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
