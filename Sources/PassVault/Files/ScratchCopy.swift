// A temporary copy of a store whose directory cannot be written. SQLite has to replay the log before the newest rows
// can be read. The copy is as sealed as the store, and is removed right after use.

import FoundationEssentials
import Glibc

final class ScratchCopy {
    /// The largest file that is copied. The place may be memory, and a store is far smaller.
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
            fault = FileFault("making a temporary folder")
            return
        }
        for suffix in ["", "-wal", CommitMark.suffix] {
            do throws(FileFault) {
                _ = try PlainFile.copy(directory.database + suffix, to: database + suffix, most: Self.mostBytes)
            } catch { if suffix != CommitMark.suffix { fault = error } }
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
}
