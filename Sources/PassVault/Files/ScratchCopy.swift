// A copy of the store, for reading when the store's own folder is not writable. SQLite needs a writable folder, because it has
// to play back the log before it can read the newest rows. The values stay sealed. `deinit` removes the copy.

import Glibc

final class ScratchCopy {
    private let folder: String?
    private(set) var fault: FileFault?
    var database: String { (folder ?? "") + "/passd.db" }

    init(of directory: StateDirectory, in temporary: String? = getenv("TMPDIR").map { String(cString: $0) }) {
        folder = Self.makeFolder(inOneOf: [temporary ?? "/tmp", "/dev/shm", "/run"])
        guard folder != nil else {
            fault = FileFault("making a temporary directory")
            return
        }
        for suffix in ["", "-wal", CommitMark.suffix] {
            do throws(FileFault) {
                _ = try PlainFile.copy(directory.database + suffix, to: database + suffix, maxSize: StoreSize.maxBytes)
            } catch { if suffix != CommitMark.suffix { fault = error } }
        }
    }

    private static func makeFolder(inOneOf parents: [String]) -> String? {
        for parent in parents {
            var template = Array("\(parent)/passd-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }

    deinit {
        guard let folder else { return }
        // SQLite has made more files in the folder, so all of its files are removed.
        for name in (try? FolderListing.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
        rmdir(folder)
    }
}
