// A file beside the store with the number of the store's commits. Damage can remove the newest changes and leave an intact but
// older store. Only a note outside of the store reveals that. The mark is written after a commit is durable. Because it is
// never synced, it may be too low, and means "at least this many commits". A mark is ignored if it is missing, incomplete, or
// lower than the number in the store.

import Glibc

struct CommitMark: Equatable {
    /// The random name of the database to which the mark belongs. Each new database gets a new name.
    var store: String
    var commits: Int64
    /// Whether some changes could not be written.
    var owes = false

    /// The mark of a store that is gone. This mark is kept until another store is in place and writes its own mark.
    static let ofLostStore = CommitMark(store: "0000000000000000", commits: 0)

    static let suffix = ".mark"
    private static let digits = 19

    /// The bytes of the mark. All marks have the same length, so that a new mark replaces the old mark completely, even on a
    /// full disk. A mark fits into one sector of the disk.
    var bytes: [UInt8] {
        let number = String(max(0, commits))
        let padded = String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number
        let text = "passd 1 \(store) \(padded) \(owes ? "owes" : "even") "
        return Array((text + Self.sum(text) + "\n").utf8)
    }

    static func read(beside database: String) -> CommitMark? {
        ((try? PlainFile.read(database + suffix, flags: O_NOFOLLOW)) ?? nil).flatMap(CommitMark.init)
    }

    /// Computes an FNV-1a hash. The hash shows whether the mark was written only in part. It does not protect against forgery.
    private static func sum(_ text: String) -> String {
        let sum = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}

/// Writes the mark. Owned by a `CommitCounter`, or used once. If the mark cannot be written, only the warning about missing
/// changes is lost.
final class CommitMarker {
    private let descriptor: Int32
    private var written: CommitMark?

    init(beside database: String) {
        let path = database + CommitMark.suffix
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        descriptor = open(path, flags, 0o600)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ mark: CommitMark) {
        guard descriptor >= 0, mark != written else { return }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let bytes = mark.bytes
        if pwrite(descriptor, bytes, bytes.count, 0) == bytes.count { written = mark }
        if status.st_size > off_t(bytes.count) { ftruncate(descriptor, off_t(bytes.count)) }
    }
}

extension CommitMark {
    init?(_ bytes: [UInt8]) {
        let fields = String(decoding: bytes.prefix(256), as: UTF8.self).split(separator: " ").map(String.init)
        guard fields.count == 6, let commits = Int64(fields[3]), commits >= 0 else { return nil }
        self.init(store: fields[2], commits: commits, owes: fields[4] == "owes")
        guard self.bytes == bytes else { return nil }
    }
}
