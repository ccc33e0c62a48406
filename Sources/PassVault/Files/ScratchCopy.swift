// A copy of the store where it can be read when its own folder cannot be written: SQLite must play back the log before
// the newest rows can be seen. It holds what the store holds, sealed, and is gone right after.

import FoundationEssentials
import Glibc

final class ScratchCopy {
    /// Of a file. The place may be memory, and a store is far smaller.
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
            fault = FileFault("creating a temporary directory")
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
